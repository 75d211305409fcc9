/** The name in the user's file until one is known. */
export const UNNAMED_USER = 'User';

/** A name somebody is called by; undefined for the placeholder, which every conversation without a name would share. */
export function realName(name: string | undefined): string | undefined {
  const trimmed = name?.trim() ?? '';
  return trimmed === '' || trimmed.toLowerCase() === UNNAMED_USER.toLowerCase() ? undefined : trimmed;
}
