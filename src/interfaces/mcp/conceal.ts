import path from 'node:path';

/** Folders of this machine. */
export interface Places {
  readonly home: string;
  /** Where the workspace lies; an adopted one is outside the home. */
  readonly workspace: string | undefined;
  readonly userHome: string | undefined;
}

/** Longer paths are cut to this length in messages, behind which nothing of the file's own name is left. */
const CUT_AT = 119;

/** A message without where on this machine things lie: whoever is at the other end may be anybody's agent. */
export function concealPlaces(text: string, { home, workspace, userHome }: Places): string {
  let shown = text;
  // The workspace first: it mostly lies in the home, and clients name files as seen from it.
  if (workspace !== undefined) shown = conceal(shown, workspace, { itself: 'the workspace', inside: '' });
  shown = conceal(shown.replaceAll(`the home ${home}`, 'the home'), home, { itself: 'the home', inside: '' });
  return userHome === undefined ? shown : conceal(shown, userHome, { itself: '~', inside: '~/' });
}

function conceal(
  text: string,
  place: string,
  { itself, inside }: { readonly itself: string; readonly inside: string },
): string {
  // Everything is inside the root; taking that away would leave words without their slashes.
  if (path.dirname(place) === place) return text;
  const cut = place.length < CUT_AT ? text : text.replaceAll(`${place.slice(0, CUT_AT)}…`, '…');
  const shorter = cut.replaceAll(`${place}/`, inside).replaceAll(`${place}\\`, inside);
  const [first = '', ...rest] = shorter.split(place);
  // A folder beside it whose name only begins the same is another.
  return rest.reduce((text, part) => text + (/^[\w.-]/u.test(part) ? place : itself) + part, first);
}
