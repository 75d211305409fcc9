import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../../api/call.ts';
import { useQuery } from '../../../api/query.ts';
import { linkTo, route } from '../../../app/route.ts';
import { Bar, Card, Empty, Loaded, Page } from '../../../ui/parts.tsx';
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

const MAX_LISTED = 300;

function Tree({ files, picked }: { readonly files: readonly ListedFile[]; readonly picked: string }): JSX.Element {
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const found = files.filter(({ path }) => wanted === '' || path.toLowerCase().includes(wanted));
  const groups = [
    ...Map.groupBy(found.slice(0, MAX_LISTED), ({ path }) => path.split('/').slice(0, -1).join('/')),
  ].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return (
    <nav class="card" aria-label="Files">
      <div class="card-body pad-top stack tight">
        <input
          class="input"
          type="search"
          aria-label="Find a file"
          placeholder="Find a file"
          data-search-field
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        {found.length === 0 ? <Empty isSmall icon="files" title="No file is called that" /> : null}
        {groups.map(([folder, members]) => (
          <Folder key={folder} folder={folder} members={members} picked={picked} isFiltered={wanted !== ''} />
        ))}
        {found.length > MAX_LISTED ? (
          <p class="tiny faint">{found.length - MAX_LISTED} more; type a part of the name.</p>
        ) : null}
      </div>
    </nav>
  );
}

function Folder({
  folder,
  members,
  picked,
  isFiltered,
}: {
  readonly folder: string;
  readonly members: readonly ListedFile[];
  readonly picked: string;
  readonly isFiltered: boolean;
}): JSX.Element {
  const isOpen = folder === '' || isFiltered || members.some(({ path }) => path === picked) || members.length <= 6;
  const links = members.map(({ path }) => (
    <a
      key={path}
      class="pick file-link"
      href={linkTo('memory/files', path)}
      aria-current={path === picked}
      data-list-item
      title={path}
    >
      {path.split('/').at(-1)}
    </a>
  ));
  if (folder === '') return <div>{links}</div>;
  return (
    <details open={isOpen}>
      <summary class="path">
        {folder} <span class="faint">({members.length})</span>
      </summary>
      {links}
    </details>
  );
}
