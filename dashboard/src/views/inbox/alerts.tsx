import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { heldIds, decideLater } from '../../api/later.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { Card, Problem, Time, WriteButton } from '../../ui/parts.tsx';

type Waiting = Output<'audit alerts'>;

/** "Were these edits yours?", and changes of files that matter; nothing at all when nothing waits. */
export function AlertCards(): JSX.Element | null {
  const query = useQuery('audit alerts', {}, { on: ['alert', 'mutation'] });
  if (query.error !== undefined && query.data === undefined)
    return <Problem error={query.error} retry={query.reload} />;
  if (query.data === undefined) return null;
  const isShown = ({ references }: { readonly references: readonly string[] }): boolean =>
    !references.some((reference) => heldIds.value.has(reference));
  const alerts = query.data.alerts.filter(isShown);
  const externalEdits = query.data.externalEdits.filter(isShown);
  return (
    <>
      {alerts.map((alert) => (
        <AlertCard key={alert.path + alert.references.join()} alert={alert} />
      ))}
      {externalEdits.length === 0 ? null : <ExternalEdits edits={externalEdits} />}
    </>
  );
}

function AlertCard({ alert }: { readonly alert: Waiting['alerts'][number] }): JSX.Element {
  return (
    <Card
      title={alert.isUnauthorized ? `${alert.path} was changed, and not by you` : `${alert.path} was changed`}
      note={<Time at={alert.timeMs} />}
    >
      <div class="stack tight">
        <p>
          {alert.summary} <span class="faint">({alert.actor})</span>
        </p>
        {alert.diff === undefined ? null : <DiffView diff={alert.diff} path={alert.path} />}
        <Answers references={alert.references} what={alert.path} />
      </div>
    </Card>
  );
}

function ExternalEdits({ edits }: { readonly edits: Waiting['externalEdits'] }): JSX.Element {
  const all = edits.flatMap(({ references }) => references);
  return (
    <Card title="Were these edits yours?" note="Made in an editor, not through Mneme">
      <ul class="rows">
        {edits.map((edit) => (
          <li key={edit.path} class="row apart">
            <div class="grow">
              <a class="path" href={linkTo('time/changes', '', { path: edit.path })}>
                {edit.path}
              </a>
              <div class="tiny faint">
                <Time at={edit.lastMs} />
                {edit.addedLines === undefined ? '' : ` · ${edit.addedLines} added, ${edit.removedLines ?? 0} removed`}
              </div>
            </div>
            {edits.length > 1 ? <Answers references={edit.references} what={edit.path} isSmall /> : null}
          </li>
        ))}
      </ul>
      <Answers references={all} what={edits.length === 1 ? (edits[0]?.path ?? '') : 'all of them'} />
    </Card>
  );
}

function Answers({
  references,
  what,
  isSmall = false,
}: {
  readonly references: readonly string[];
  readonly what: string;
  readonly isSmall?: boolean;
}): JSX.Element {
  const answer = (isMine: boolean): void =>
    decideLater({
      ids: references,
      name: 'audit ack',
      input: { references: [...references], isMine },
      text: isMine ? `Noted: ${what} was you.` : `Noted: ${what} was not you.`,
      hint: isMine ? undefined : 'It is kept as it is until you take it back in the history.',
    });
  const size = isSmall ? 'small' : '';
  return (
    <div class={isSmall ? 'row' : 'row answers'}>
      <WriteButton kind={isSmall ? 'small' : 'primary'} onClick={() => answer(true)}>
        {isSmall ? 'Mine' : 'Yes, mine'}
      </WriteButton>
      <WriteButton kind={`danger ${size}`} onClick={() => answer(false)}>
        {isSmall ? 'Not mine' : 'No, not mine'}
      </WriteButton>
    </div>
  );
}
