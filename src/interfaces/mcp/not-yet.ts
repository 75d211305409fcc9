/** The reply about a pending change: models report success when this is not said first. */
export function notYet(what: string, proposal: string): string {
  return `NOT ${what} yet: it waits for the user's approval as ${proposal}. Tell the user so: they decide in the inbox of the dashboard.`;
}
