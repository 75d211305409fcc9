import { MnemeError } from '../../model/errors.ts';
import type { Scope } from '../../model/provenance.ts';
import { fileStem } from '../../workspace/formats/layout.ts';
import { foldName } from '../../memory/stores/registry/names.ts';
import type { KnownProcedure, Procedures } from '../../memory/procedures/procedures.ts';

/** By path, name, file name or id, or by the beginning of a name when only one begins so. */
export function getProcedure(
  store: Procedures,
  wanted: string,
  sees: (owner: Scope) => boolean = () => true,
): KnownProcedure {
  const all = store.all().filter(({ scope }) => sees(scope));
  const folded = foldName(wanted.replace(/\.md$/iu, ''));
  const exact = all.filter(
    ({ path, procedure }) =>
      path === wanted ||
      procedure.frontmatter.id === wanted ||
      foldName(procedure.name) === folded ||
      foldName(fileStem(path)) === folded,
  );
  if (exact[0] !== undefined && exact.length === 1) return exact[0];
  const found =
    exact.length > 0
      ? exact
      : all.filter(({ path, procedure }) =>
          [procedure.name, fileStem(path)].some((name) => foldName(name).startsWith(folded)),
        );
  if (found[0] !== undefined && found.length === 1) return found[0];
  if (found.length > 1) {
    throw new MnemeError('conflict', `"${wanted}" may mean several procedures.`, {
      hint: `Name one by its path: ${found.map(({ path }) => path).join(', ')}.`,
    });
  }
  throw new MnemeError('not-found', `There is no procedure "${wanted}".`, {
    hint:
      all.length === 0
        ? 'Write one under memory/procedures/, or let `mneme procedure learn` find some.'
        : '`mneme procedure list` shows those there are.',
  });
}
