import { FolderWatcher } from '../../platform/folder-watcher.ts';
import type { OperationContext } from '../../operations/context.ts';
import { DOCUMENT_SOURCES, type DocumentSource } from '../../search-index/passage.ts';
import { isHidden } from '../../search-index/sync/home-files.ts';

/** Watches the folders of a home whose files are searched; whether a listener may hear of a file is decided there. */
export function watchFiles(
  { homeIndex }: OperationContext,
  onChange: (source: DocumentSource, path: string) => void,
  onProblem: (message: string) => void,
): FolderWatcher[] {
  return DOCUMENT_SOURCES.map(
    (source) =>
      new FolderWatcher(homeIndex.files.roots[source], {
        onChange: (path) => onChange(source, path),
        onProblem,
        isIgnored: (path) => path.split('/').some(isHidden),
      }),
  );
}
