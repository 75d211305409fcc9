import { describe, expect, test } from 'vitest';
import { matchProcedures } from './match.ts';
import { dueProcedures, nextRunMs } from './schedule.ts';
import { known } from './workflow/testing/simulation.ts';

function file(name: string, trigger: string, frontmatter = ''): ReturnType<typeof known> {
  const text = `---\ntype: procedure\nname: ${name}\n${frontmatter}---\n# ${name}\n\n## Trigger\n${trigger}\n\n## Steps\n1. x\n`;
  return known(text, `memory/procedures/${name.toLowerCase().replaceAll(' ', '-')}.md`);
}

const DEPLOY = file('Deploy the shop', 'When user asks to deploy, push to production, or ship.');
const INBOX = file(
  'Process the inbox',
  'Every morning',
  'triggers:\n  keywords: [inbox zero, E-Mails]\n  event: mail.arrived\n',
);
const BACKUP = file('Back up the photos', '- when the disk is full\n- when I ask for a backup of the photos');
const ALL = [DEPLOY, INBOX, BACKUP];

describe('matchProcedures', () => {
  test.each([
    ['Please deploy it now', 'Deploy the shop', 'trigger'],
    ['can you ship this?', 'Deploy the shop', 'trigger'],
    ['push that to production, please', 'Deploy the shop', 'trigger'],
    ['we are deploying today', 'Deploy the shop', 'trigger'],
    ['Inbox zero!', 'Process the inbox', 'keyword'],
    ['what about my e-mails', 'Process the inbox', 'keyword'],
    ['process my inbox', 'Process the inbox', 'name'],
    ['my disk is full again', 'Back up the photos', 'trigger'],
    ['make a backup of the photos', 'Back up the photos', 'trigger'],
  ])('%s → %s by %s', (message, name, by) => {
    const [best] = matchProcedures(message, ALL);
    expect(best).toMatchObject({ by });
    expect(best?.known.procedure.name).toBe(name);
  });

  test.each(['What is the weather?', 'the user asks something', 'push the meeting to Monday', 'I read a book', ''])(
    '%j calls for nothing',
    (message) => {
      expect(matchProcedures(message, ALL)).toEqual([]);
    },
  );

  test('an event calls for what names it', () => {
    expect(matchProcedures('', ALL, { events: ['Mail.arrived'] })).toMatchObject([{ known: INBOX, by: 'event' }]);
  });

  test('what is paused, a draft or retired is not offered', () => {
    const paused = ['paused', 'draft', 'retired'].map((status) => file('Deploy it', 'deploy', `status: ${status}\n`));
    expect(matchProcedures('deploy', paused)).toEqual([]);
  });

  test('the more urgent of two equals first; only scopes that may be seen', () => {
    const urgent = file('Ship at once', 'ship', 'priority: critical\n');
    const secret = { ...file('Ship in secret', 'ship'), scope: 'project:x' as const };
    const names = matchProcedures('ship', [DEPLOY, urgent, secret], { scopes: ['shared'] }).map(
      ({ known: found }) => found.procedure.name,
    );
    expect(names).toEqual(['Ship at once', 'Deploy the shop']);
  });

  test('other scripts', () => {
    const japanese = file('写真', '写真をバックアップする');
    expect(matchProcedures('写真をバックアップしてください', [japanese])).toHaveLength(1);
  });
});

describe('schedules', () => {
  const daily = file('Daily', 'x', 'triggers:\n  cron: "0 6 * * *"\n');
  const broken = file('Broken', 'x', 'triggers:\n  cron: every day\n');
  const options = (last: string, now: string) => ({
    timeZone: 'Europe/Vienna',
    nowMs: Date.parse(now),
    lastMs: () => Date.parse(last),
  });

  test('due once its time has come, in the home’s zone, however often it was missed', () => {
    const due = (last: string, now: string) => dueProcedures([daily, broken], options(last, now)).length;
    expect(due('2026-11-15T05:30:00Z', '2026-11-15T05:50:00Z')).toBe(0);
    expect(due('2026-11-15T04:30:00Z', '2026-11-15T05:50:00Z')).toBe(1);
    expect(due('2026-11-01T04:30:00Z', '2026-11-15T05:50:00Z')).toBe(1);
  });

  test('a day that never comes is never due', () => {
    expect(nextRunMs('0 0 31 2 *', 'UTC', 0)).toBeUndefined();
  });
});
