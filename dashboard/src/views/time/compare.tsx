import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { isoDay, now } from '../../app/clock.ts';
import { linkHere, linkTo, replaceRoute, route } from '../../app/route.ts';
import { fileWords } from '../../text/names.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { Card, Empty, Loaded, Page, plural } from '../../ui/parts.tsx';
import { Split } from '../../ui/split.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';

type Diff = Output<'diff'>;
type ChangedFile = Diff['files'][number];
const WEEK_MS = 7 * 86_400_000;
const ROW = 62;

export function Compare(): JSX.Element {
  const from = route.value.query.get('from') ?? isoDay(new Date(now.value.getTime() - WEEK_MS));
  const to = route.value.query.get('to') ?? isoDay(now.value);
  // Which files first, and the words of one at a time: years of changes are megabytes.
  const query = useQuery('diff', { from, to, stat: true }, { on: ['mutation'] });
  return (
    <Page title="Compare" lead={leadOf(query.data)} isWide>
      <div class="filters">
        <Day name="From the beginning of" value={from} bounds={{ max: to }} onPick={(day) => ({ from: day })} />
        <Day name="To the end of" value={to} bounds={{ min: from }} onPick={(day) => ({ to: day })} />
      </div>
      <Loaded query={query} lines={8}>
        {({ files }) => <Files files={files} from={from} to={to} />}
      </Loaded>
    </Page>
  );
}

function leadOf(diff: Diff | undefined): string {
  if (diff === undefined) return 'What changed between two days.';
  const { files, addedLines, removedLines } = diff;
  return `${plural(files.length, 'file')} changed, ${plural(addedLines, 'line')} added, ${removedLines.toLocaleString('en')} removed.`;
}

interface DayProps {
  readonly name: string;
  readonly value: string;
  readonly bounds: { readonly min?: string; readonly max?: string };
  readonly onPick: (day: string) => Readonly<Record<string, string>>;
}

function Day({ name, value, bounds, onPick }: DayProps): JSX.Element {
  return (
    <label class="field">
      {name}
      <input
        class="input"
        type="date"
        value={value}
        {...bounds}
        onChange={(event) => replaceRoute(linkHere(onPick(event.currentTarget.value)))}
      />
    </label>
  );
}

interface FilesProps {
  readonly files: readonly ChangedFile[];
  readonly from: string;
  readonly to: string;
}

function Files({ files, from, to }: FilesProps): JSX.Element {
  if (files.length === 0) {
    return (
      <Empty icon="history" title="Nothing changed between these days">
        <p>Pick an earlier day to begin with.</p>
      </Empty>
    );
  }
  const picked = route.value.rest;
  const path = picked === '' ? (files[0]?.path ?? '') : picked;
  return (
    <Split
      isPicked={picked !== ''}
      back="time/compare"
      backLabel="Files"
      list={
        <VirtualList
          label="Changed files"
          items={files}
          rowHeight={ROW}
          keyOf={(file) => file.path}
          current={files.findIndex((file) => file.path === path)}
          render={(file) => (
            <a
              class="pick"
              href={linkTo('time/compare', file.path, { from, to })}
              aria-current={file.path === path}
              data-list-item
              title={file.path}
            >
              <span class="clip-line">{fileWords(file.path)}</span>
              <span class="row tiny faint">
                <span class="clip-line">{file.path.split('/').slice(0, -1).join('/')}</span>
                <span>{linesOf(file)}</span>
              </span>
            </a>
          )}
        />
      }
    >
      <OneFile key={path} path={path} from={from} to={to} />
    </Split>
  );
}

function linesOf({ addedLines, removedLines }: ChangedFile): string {
  return `+${(addedLines ?? 0).toLocaleString('en')} −${(removedLines ?? 0).toLocaleString('en')}`;
}

interface OneFileProps {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

function OneFile({ path, from, to }: OneFileProps): JSX.Element {
  const query = useQuery('diff', { from, to, paths: [path] }, { on: ['mutation'] });
  return (
    <Card title={fileWords(path)}>
      <Loaded query={query} lines={8}>
        {({ diff }) => <DiffView diff={diff} />}
      </Loaded>
    </Card>
  );
}
