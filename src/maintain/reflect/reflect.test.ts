import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { repetitions } from '../../../test/support/effort.ts';
import { must } from '../../model/errors.ts';
import { configSchema } from '../../model/config/schema.ts';
import { parseEntityWithIds } from '../../memory/stores/entities/entity-edit.ts';
import { StoreHome } from '../../memory/stores/testing/store-home.ts';
import { makeDiff, applyDiff } from '../../proposals/diff-text.ts';
import type { Proposal, ProposedChange } from '../../proposals/proposal.ts';
import { coreUsage } from '../../workspace/formats/core.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { declinedBy, leaveOut, withoutWords } from './declined.ts';
import { renderForm, renderPending, type ReflectionForm } from './form.ts';
import { changesIn, describePromotion, notShownBefore, overdueQuestions, withoutRepetitions } from './lines.ts';
import { outcomeOf, parseReflectionLog, updateReflectionLog } from './log.ts';
import { type Insights, evolve, reflectOnPast } from './meta-reflection.ts';
import { findCoreOptions, rewriteCore, type CoreInput, type CoreRewrite } from './rewrite-core.ts';
import type { Survey } from './survey.ts';

const FORM: ReflectionForm = {
  about: ['1 · Critical Facts: “Alex is allergic to latex.”'],
  repeated: [],
  changed: [],
  contradictions: [],
  questions: ['Still relevant?'],
  lettingGo: [],
  knowledge: ['Fiona: lives in Bergen.'],
  connections: [],
  evolution: ['First.'],
  deferred: [],
  footer: [
    ['Memories processed', '3 episodes, 1 entity'],
    ['Themes', 'tiles, garden'],
  ],
};

function change(number: number, before: string, after: string, rest: Partial<ProposedChange> = {}): ProposedChange {
  const diff = makeDiff({ path: 'MEMORY.md', text: before }, { path: 'MEMORY.md', text: after });
  return { number, action: 'edit', path: 'MEMORY.md', diff, state: 'waiting', ...rest };
}

function proposal(number: number, changes: readonly ProposedChange[], rest: Partial<Proposal> = {}): Proposal {
  return {
    id: `01M7GQ16V3CB7BMQEEW9TMKA6${number}`,
    state: 'pending',
    kind: 'reflection',
    title: `Reflection #${number}`,
    why: renderForm(FORM),
    evidence: [],
    actor: `reflection:r-00${number}`,
    trust: 'agent',
    created: `2026-02-0${number}T03:00:00Z`,
    session: `r-00${number}`,
    changes,
    conflictsWith: [],
    ...rest,
  };
}

const BEFORE = '# M\n\n- One. ^aaaaaaaaaaaaa\n- Two. ^bbbbbbbbbbbbb\n';

// SPEC NIGHT-4
describe('the log', () => {
  it('tells each reflection once, as it stands, and reads back what it wrote', () => {
    const applied = change(1, BEFORE, `${BEFORE}- Three.\n`, { state: 'applied' });
    const part = proposal(1, [applied, change(2, BEFORE, '# M\n')]);
    const first = updateReflectionLog(undefined, [part]);
    expect(parseReflectionLog(first)).toMatchObject([
      { number: 1, outcome: 'partly approved', themes: ['tiles', 'garden'], questions: ['Still relevant?'] },
    ]);
    const noted = first.replace('# Reflection Log', '# Reflection Log\n\nMy own words.');
    const rejected = proposal(2, [change(1, BEFORE, '# M\n')], { state: 'rejected', reason: 'not mine' });
    const next = updateReflectionLog(noted, [proposal(1, [applied]), rejected]);
    expect(parseReflectionLog(next).map(({ number, outcome, reason }) => [number, outcome, reason])).toEqual([
      [1, 'approved', undefined],
      [2, 'rejected', 'not mine'],
    ]);
    expect(next).toContain('My own words.');
    expect(updateReflectionLog(next, [proposal(1, [applied]), rejected])).toBe(next);
  });

  it('calls what nobody decided on waiting', () => {
    expect(outcomeOf(proposal(1, [change(1, BEFORE, '# M\n')]))).toBe('waiting');
    expect(outcomeOf(proposal(1, [change(1, BEFORE, '# M\n')], { state: 'withdrawn' }))).toBe('withdrawn');
  });
});

describe('the form', () => {
  it('shows headings, the diffs and how to answer', () => {
    const text = renderPending(proposal(1, [change(1, BEFORE, `${BEFORE}- Three.\n`)]));
    expect(text).toContain('## 🪞 New About You');
    expect(text).toContain('+- Three.');
    expect(text).toContain('mneme approve reflection');
  });

  it('cuts its lists when it has to', () => {
    const long = { ...FORM, knowledge: Array.from({ length: 30 }, (_, index) => `Fact ${index}`) };
    expect(renderForm(long, 3)).toContain('- and 28 more');
    expect(renderForm(long, 3).length).toBeLessThan(renderForm(long).length);
  });
});

describe('what was declined', () => {
  const added = change(1, BEFORE, `${BEFORE}- Alex drinks tea. <!-- importance:0.6 --> ^ccccccccccccc\n`);

  it('is known by its words, whatever id it has', () => {
    const declined = declinedBy([proposal(1, [added], { state: 'rejected' })]);
    expect(declined.has('MEMORY.md', '+', 'Alex drinks tea.')).toBe(true);
    expect(declined.has('MEMORY.md', '-', 'Alex drinks tea.')).toBe(false);
    expect(declined.has('USER.md', '+', 'Alex drinks tea.')).toBe(false);
    expect(declinedBy([proposal(1, [added])]).has('MEMORY.md', '+', 'Alex drinks tea.')).toBe(false);
  });

  it('includes the rest of a partial approval, and words that were left out', () => {
    const rest = declinedBy([proposal(1, [{ ...added, state: 'rejected' }], { state: 'applied' })]);
    expect(rest.has('MEMORY.md', '+', 'Alex drinks tea.')).toBe(true);
    const words = declinedBy([
      proposal(1, [], { state: 'applied', reason: `fine; ${withoutWords(['CSS bug', 'tea'])}` }),
    ]);
    expect(words.has('any.md', '-', 'The CSS bug of May')).toBe(true);
    expect(words.has('any.md', '+', 'Something else')).toBe(false);
  });
});

describe('leaving lines out', () => {
  it('drops an addition, keeps a line that would go, and keeps both sides of a replacement together', () => {
    const after = '# M\n\n- One, reworded with tea. ^aaaaaaaaaaaaa\n- Three.\n';
    const left = leaveOut(change(1, BEFORE, after), ['TEA']);
    expect(left).toMatchObject({ lines: 2, isEmpty: false });
    expect(applyDiff(BEFORE, left.change.diff, 'exact')).toBe('# M\n\n- One. ^aaaaaaaaaaaaa\n- Three.\n');
    const kept = leaveOut(change(1, BEFORE, '# M\n\n- One. ^aaaaaaaaaaaaa\n'), ['two']);
    expect(kept.isEmpty).toBe(true);
    expect(leaveOut(change(1, BEFORE, after), ['zeppelin']).lines).toBe(0);
  });

  it('leaves a diff that applies and no longer says the words', () => {
    const line = fc.stringMatching(/^[a-z]{1,6}( tea)?$/u);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(line, { maxLength: 8 }), (old, next) => {
        const before = old.map((text) => `- ${text}\n`).join('');
        const after = next.map((text) => `- ${text}\n`).join('');
        fc.pre(before !== after);
        const left = leaveOut(change(1, before, after), ['tea']);
        const result = left.isEmpty ? before : applyDiff(before, left.change.diff, 'exact');
        expect(result).toBeDefined();
        const count = (text: string): number => text.split(' tea').length;
        expect(count(result ?? '')).toBe(count(before));
      }),
      { numRuns: repetitions(60, 300) },
    );
  });
});

const INSIGHTS: Insights = {
  learning: 'L.',
  understanding: 'U.',
  theme: undefined,
  themes: ['tiles'],
  persistent: ['Why?'],
};

describe('the evolution', () => {
  it('grows by a section, and at milestones by what all of them tell', () => {
    let text: string | undefined;
    for (let number = 1; number <= 25; number += 1) {
      const step = { number, today: '2026-02-16', insights: INSIGHTS, past: [], milestones: [25, 10] };
      text = evolve(text, step);
    }
    expect(text?.match(/^## Milestone/gmu)).toHaveLength(2);
    expect(text).toContain('- Questions that stayed open: Why?');
    expect(text?.match(/^## Reflection #/gmu)).toHaveLength(6);
    expect(text).toContain('## Reflection #25 — 2026-02-16');
  });
});

let home: StoreHome;
beforeEach(() => {
  home = new StoreHome();
});

const FILE = 'memory/graph/entities/person--alex.md';

function surveyOf(facts: readonly string[], rest: Partial<Survey> = {}): Survey {
  const head = '---\nid: person--alex\ntype: person\nname: Alex\ntags: [user]\n---\n\n# Alex\n\n## Facts\n\n';
  home.write(FILE, `${head}${facts.map((fact) => `${fact}\n`).join('')}`);
  const record = home.registry.findByPath(FILE);
  if (record === undefined) throw new Error('there is an entity');
  const entity = parseEntityWithIds(parseDocument(home.read(FILE)), FILE);
  return {
    number: 2,
    today: '2026-11-15',
    since: '',
    episodes: [],
    entities: [{ record, entity, isChanged: true }],
    connections: [],
    contradictions: [],
    past: [],
    ...rest,
  };
}

const CONFIG = configSchema().parse({ time_zone: 'UTC' });
const NOBODY = { has: () => false };
const rewrite = (text: string, survey: Survey, rest: Partial<CoreInput> = {}) => {
  const given = {
    text,
    survey,
    uses: new Map(),
    holds: () => true,
    declined: NOBODY,
    nowMs: home.nowMs,
    decay: CONFIG.decay,
  };
  const options = findCoreOptions({ ...given, ...rest });
  return { ...rewriteCore(home.parts, CONFIG.core, text, options), questions: options.questions };
};

const textsOf = ({ added }: Pick<CoreRewrite, 'added'>): string[] => added.map(({ said }) => said.text);

const CORE = '# MEMORY\n\n## Critical Facts\n\n';

describe('core memory', () => {
  it('takes in what the user confirmed, not what an agent guessed, and nothing twice', () => {
    const survey = surveyOf([
      '- Alex is allergic to latex. <!-- trust:user verified:2 --> ^fffffffffff01',
      '- Alex may like jazz. <!-- trust:agent verified:9 --> ^fffffffffff02',
      '- Alex was in Rome once. <!-- trust:user --> ^fffffffffff03',
    ]);
    const first = rewrite(CORE, survey);
    expect(textsOf(first)).toEqual(["The user's name is Alex.", 'Alex is allergic to latex.']);
    expect(textsOf(rewrite(first.after, survey))).toEqual([]);
    expect(textsOf(rewrite(CORE, survey, { declined: { has: (_path, sign) => sign === '+' } }))).toEqual([]);
  });

  it('takes in standing rules, who the user is and what is a matter of safety, each where it belongs', () => {
    const survey = surveyOf([
      '- Never deploy on Fridays. <!-- preference 0.85 2026-11-03T09:00 s1#t3 --> ^fffffffffff01',
      '- Alex is a physics teacher in Gdańsk. <!-- person 0.72 2026-11-03T09:00 s1#t5 --> ^fffffffffff02',
      '- Sylwia has coeliac disease. <!-- fact 0.6 2026-11-03T09:00 s1#t7 --> ^fffffffffff03',
      '- Alex has 300 pages left this month. <!-- fact 0.6 2026-11-03T09:00 s1#t9 --> ^fffffffffff04',
      '- About “ten of them”: not that one. <!-- preference 0.9 2026-11-03T09:00 s1#t11 --> ^fffffffffff05',
      '- Deploying on Fridays is never done here. <!-- preference 0.7 2026-11-10T09:00 s2#t1 --> ^fffffffffff06',
    ]);
    const { added } = rewrite(CORE, survey);
    expect(Object.fromEntries(added.map(({ said }) => [said.block, said.text]))).toEqual({
      Persona: 'Never deploy on Fridays.',
      Identity: 'Alex is a physics teacher in Gdańsk.',
      'Critical Facts': 'Sylwia has coeliac disease.',
    });
    const rule = must(added.find(({ said }) => said.block === 'Persona')?.said, 'the rule');
    expect(describePromotion(rule)).toBe(
      'Persona: “Never deploy on Fridays.” — said 2 times: 3 November (s1#t3), 10 November (s2#t1)',
    );
  });

  it('leaves out what was to be done once, what was cut off, and what says nothing', () => {
    const survey = surveyOf(
      [
        'Alex wants one list of the guests, because the telephone has them in no order.',
        'Write to Rodrigo about the hall, polite and formal.',
        'Alex doesn’t, red wine is a migraine in a bottle.',
        'Not email, not phone, not names, ids only.',
        'Always show Alex first.',
        'Alex is a person, not a company.',
        'Write commit subjects in English, always.',
      ].map((text, at) => `- ${text} <!-- preference 0.9 2026-11-03T09:00 s1#t${at + 1} --> ^fffffffffff0${at + 1}`),
    );
    expect(textsOf(rewrite(`${CORE}- Alex is called Alex.\n`, survey))).toEqual([
      'Write commit subjects in English, always.',
    ]);
  });

  it('lets go of what no longer holds, and asks about what is pinned or stands nowhere else', () => {
    const bullets = [
      '- Old. <!-- states:xxxxxxxxxxx01 --> ^ccccccccccc01',
      '- Pinned. <!-- states:xxxxxxxxxxx02 pinned --> ^ccccccccccc02',
      '- Alone. <!-- time:2020-01-01T00:00:00Z --> ^ccccccccccc03',
    ];
    const { after, removed, questions } = rewrite(`${CORE}${bullets.join('\n')}\n`, surveyOf([]), {
      holds: () => false,
    });
    expect(removed.map(({ said }) => said.text)).toEqual(['Old.']);
    expect(after).not.toContain('Old.');
    expect(after).toContain('Pinned.');
    expect(questions).toHaveLength(2);
  });

  it('never goes over its caps, and pushes out nothing that stands nowhere else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 10, max: 400 }), (count, chars) => {
        const own = Array.from(
          { length: count },
          (_, index) => `- ${'x'.repeat(chars)} ${index} ^ccccccccccc${String(index).padStart(2, '0')}`,
        );
        const text = `${CORE}${own.join('\n')}\n`;
        const facts = Array.from(
          { length: 8 },
          (_, index) => `- Fact ${index} ${'y'.repeat(chars)}. <!-- trust:user verified:2 --> ^ffffffffffff${index}`,
        );
        const { after } = rewrite(text, surveyOf(facts));
        const before = coreUsage(parseDocument(text), CONFIG.core).share;
        expect(coreUsage(parseDocument(after), CONFIG.core).share).toBeLessThanOrEqual(Math.max(1, before));
        expect(own.every((line) => after.includes(line))).toBe(true);
      }),
      { numRuns: repetitions(8, 40) },
    );
  });
});

describe('a line of a page', () => {
  it('does not stand on the next one, whichever number it had', () => {
    const survey = surveyOf(['- Alex has a cello. <!-- fact 0.5 2026-11-03T09:00 s1#t3 --> ^fffffffffff01']);
    const [line = ''] = withoutRepetitions(survey, []);
    const page = renderForm({ ...FORM, knowledge: [line], questions: ['4 · Is it done?'] });
    const isNew = notShownBefore([proposal(1, [], { state: 'rejected', why: page })]);
    expect(line).toBe('Alex has a cello.');
    expect([isNew(line), isNew('2 · Is it done?'), isNew('Alex: Has a viola.')]).toEqual([false, false, true]);
    expect(notShownBefore([proposal(1, [], { state: 'pending', why: page })])(line)).toBe(true);
  });

  it('says what a belief became, and asks about tasks whose day is over', () => {
    const survey = surveyOf([
      '- ~~Alex lives in Graz.~~ (until 2026-11-02) <!-- person 0.6 2026-01-02T09:00 s1#t1 superseded_by:fffffffffff02 --> ^fffffffffff01',
      '- Alex lives in Linz. <!-- person 0.6 2026-11-02T09:00 s7#t3 --> ^fffffffffff02',
      '',
      '## Goals and Tasks',
      '',
      '- [ ] Renew the passport. <!-- task 0.6 2026-10-02T09:00 s6#t1 due:2026-11-01 --> ^fffffffffff03',
      '- [ ] Car inspection. <!-- task 0.6 2026-10-02T09:00 s6#t1 due:2026-11 --> ^fffffffffff04',
    ]);
    expect(changesIn(survey)).toEqual([
      'Alex: “Alex lives in Graz.” became “Alex lives in Linz.” — said 2 November (s7#t3)',
    ]);
    expect(overdueQuestions(survey)).toEqual(['“Renew the passport.” was due on 1 November. Is it done?']);
  });
});

describe('meta-reflection', () => {
  it('tells what recurs and what was said to earlier ones', () => {
    const past = [1, 2, 3].map((number) => ({
      number,
      date: '2026-02-01',
      outcome: 'approved' as const,
      themes: ['Alex'],
      questions: ['Why?'],
      reason: number === 3 ? 'shorter, please' : undefined,
    }));
    const { persistent, learning } = reflectOnPast(surveyOf([], { past }));
    expect(persistent).toEqual(['Why?']);
    expect(learning).toContain('shorter, please');
  });
});
