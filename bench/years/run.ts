import { live, measuredMonths, type LifeOptions } from './live.ts';
import { countHidden, measureQuality, measureSizes, nightOf } from './measure.ts';

/** Bytes the index may take for a token that was said, as docs/retrieval.md says. */
const INDEX_BYTES_PER_TOKEN = 100;

/** Lives through the months and says what came of it, with the bars it has to hold. */
export async function runYears(options: LifeOptions): Promise<Record<string, unknown>> {
  const life = await live(options);
  const pending = life.mneme.internals.proposals.list({ state: 'pending' }).proposals.length;
  const quality = await measureQuality(life);
  await life.mneme.close();
  const sizes = measureSizes(options.home, life.saidBytes);
  const [early, late] = measuredMonths(options.months);
  const [before, after] = [nightOf(life, early), nightOf(life, late)];
  const hidden = countHidden(options.home);
  const { importantRecall, trivialPushed, pushedOnRelated, recentlyUsed } = quality;
  return {
    approver: options.approver,
    months: options.months,
    sessions: life.sessions,
    importantRecall,
    trivialPushed,
    pushedOnRelated,
    recentlyUsed,
    coreOverCap: life.core.overCap,
    coreMostTokens: life.core.mostTokens,
    nightlyCpuMsMonth6: Math.round(before.all),
    nightlyCpuMsMonth36: Math.round(after.all),
    nightlyByJob: { [early]: before.jobs, [late]: after.jobs },
    ...sizes,
    hidden,
    pending,
    approved: life.decided.approved,
    rejected: life.decided.rejected,
    holds: {
      core: life.core.overCap === 0,
      important: importantRecall >= 0.95,
      trivial: trivialPushed === 0,
      related: pushedOnRelated >= 0.85,
      nights: after.all <= before.all * 1.2,
      workspace: sizes.workspaceMb <= 3 * sizes.textMb,
      git: sizes.gitMb <= 5 * sizes.textMb,
      index: sizes.indexBytesPerToken <= INDEX_BYTES_PER_TOKEN,
      ...(options.approver === 'never' ? { nothingHidden: hidden === 0 } : {}),
      noTrouble: life.troubles.length + life.decided.failed.length === 0,
    },
    details: {
      lost: quality.lost.slice(0, 10),
      pushedTrivia: quality.pushedTrivia.slice(0, 10),
      notPushed: quality.notPushed.slice(0, 10),
      failed: life.decided.failed.slice(0, 10),
      troubles: life.troubles.slice(0, 10),
    },
  };
}
