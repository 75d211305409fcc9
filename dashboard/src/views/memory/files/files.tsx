import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../../api/call.ts';
import { useQuery } from '../../../api/query.ts';
import { linkTo, route } from '../../../app/route.ts';
import { FilterField } from '../../../ui/filter-field.tsx';
import { Bar, Card, Empty, Loaded, Page } from '../../../ui/parts.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { Editor } from './editor.tsx';

type ListedFile = Output<'files list'>['files'][number];

export function Files(): JSX.Element {
  const list = useQuery('files list', {}, { on: ['mutation'] });
  const path = route.value.rest === '' ? 'MEMORY.md' : route.value.rest;
  return (
    <Page
      title="Files"
      lead="The memory is Markdown files. Edit them here or anywhere; nobody’s words are overwritten."
      isWide
    >
      <div class="columns side">
        <div class="stack">
          <CoreMeter />
          <Loaded query={list} lines={10}>
            {({ files }) => <Tree files={files} picked={path} />}
          </Loaded>
        </div>
        <Editor key={path} path={path} />
      </div>
    </Page>
  );
}

/** The core files cost tokens in every prompt. */
function CoreMeter(): JSX.Element {
  const core = useQuery('core show', {}, { on: ['mutation'] });
  return (
    <Card title="Core memory" note="in every prompt">
      <Loaded query={core} lines={3}>
        {({ tokens, maxTokens, share, lines, maxLines, blocks }) => (
          <div class="stack tight">
            <Bar share={share} isOver={share > 1} label="How full core memory is" />
            <p class="small soft">
              {tokens} of {maxTokens} tokens, {lines} of {maxLines} lines
              {share > 1 ? '. Too full: take something out, or the oldest is left out.' : ''}
            </p>
            <dl class="facts tiny">
              {blocks.map((block) => (
                <>
                  <dt key={block.name}>{block.name}</dt>
                  <dd>
                    {block.tokens} of {block.maxTokens}
                  </dd>
                </>
              ))}
            </dl>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

const ROW = 32;
/** Folders of more files are closed until they are opened. */
const SMALL_FOLDER = 6;

type TreeRow =
  | { readonly kind: 'folder'; readonly folder: string; readonly count: number; readonly isOpen: boolean }
  | { readonly kind: 'file'; readonly path: string };

function Tree({ files, picked }: { readonly files: readonly ListedFile[]; readonly picked: string }): JSX.Element {
  const [filter, setFilter] = useState('');
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const wanted = filter.trim().toLowerCase();
  const found = files.filter(({ path }) => wanted === '' || path.toLowerCase().includes(wanted));
  const rows = rowsOf(found, (folder, members) => {
    const isOpen = wanted !== '' || members.includes(picked) || members.length <= SMALL_FOLDER;
    return toggled.has(folder) ? !isOpen : isOpen;
  });
  const toggle = (folder: string): void => {
    const changed = new Set(toggled);
    if (!changed.delete(folder)) changed.add(folder);
    setToggled(changed);
  };
  return (
    <div class="card">
      <div class="card-body pad-top stack tight">
        <FilterField label="Find a file" value={filter} onChange={setFilter} />
        {found.length === 0 ? <Empty isSmall icon="files" title="No file is called that" /> : null}
        <VirtualList
          label="Files"
          items={rows}
          rowHeight={ROW}
          keyOf={(row) => (row.kind === 'file' ? row.path : `${row.folder}/`)}
          current={rows.findIndex((row) => row.kind === 'file' && row.path === picked)}
          render={(row) => <RowView row={row} picked={picked} onToggle={toggle} />}
        />
      </div>
    </div>
  );
}

/** Each folder with its files below it; the files at the top have no folder. */
function rowsOf(
  files: readonly ListedFile[],
  isOpen: (folder: string, members: readonly string[]) => boolean,
): readonly TreeRow[] {
  const folders = Map.groupBy(
    files.map(({ path }) => path),
    (path) => path.split('/').slice(0, -1).join('/'),
  );
  return [...folders]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, members]): TreeRow[] => {
      const links = members.map((path): TreeRow => ({ kind: 'file', path }));
      if (folder === '') return links;
      const open = isOpen(folder, members);
      const head: TreeRow[] = [{ kind: 'folder', folder, count: members.length, isOpen: open }];
      return open ? head.concat(links) : head;
    });
}

function RowView({
  row,
  picked,
  onToggle,
}: {
  readonly row: TreeRow;
  readonly picked: string;
  readonly onToggle: (folder: string) => void;
}): JSX.Element {
  if (row.kind === 'folder') {
    const { folder, count, isOpen } = row;
    return (
      <button type="button" class="folder" aria-expanded={isOpen} data-list-item onClick={() => onToggle(folder)}>
        <span class="clip-line path">{folder}</span> <span class="faint tiny">{count}</span>
      </button>
    );
  }
  const { path } = row;
  return (
    <a
      class={`pick file-link${path.includes('/') ? ' inside' : ''}`}
      href={linkTo('memory/files', path)}
      aria-current={path === picked}
      data-list-item
      title={path}
    >
      {path.split('/').at(-1)}
    </a>
  );
}
