import { isCron } from '../../model/config/running.ts';
import type { DecisionNode } from '../../workspace/formats/decision-tree.ts';
import type { KnownProcedure } from './procedures.ts';
import type { PlanFinding } from './workflow/plan.ts';

/** Lists problems of a procedure's file beside its steps: phrases, decisions and schedules that cannot work. */
export function checkProcedure({ path, procedure }: KnownProcedure): PlanFinding[] {
  const findings: PlanFinding[] = [];
  const warn = (message: string, hint: string): void => {
    findings.push({ severity: 'warning', line: undefined, message, hint });
  };
  const { frontmatter, trigger, kind, tree, name } = procedure;
  const { cron, keywords = [], event } = frontmatter.triggers ?? {};
  if (cron !== undefined && !isCron(cron)) {
    warn(`"${cron}" is not a schedule, so it never runs by itself`, 'Use five fields, such as 0 6 * * *.');
  }
  if (kind !== 'pattern' && trigger === '' && cron === undefined && keywords.length === 0 && event === undefined) {
    warn(`Only its name "${name}" can call for it`, 'Say when it applies under ## Trigger.');
  }
  if (kind === 'decision-tree' && tree === undefined) {
    findings.push({
      severity: 'error',
      line: undefined,
      message: `${path} is a decision tree without a tree`,
      hint: 'Write the questions as nested bullets under ## Tree.',
    });
  }
  if (tree !== undefined) checkTree(tree, warn);
  return findings;
}

function checkTree(node: DecisionNode, warn: (message: string, hint: string) => void): void {
  for (const { answer, next } of node.branches) {
    if (typeof next !== 'string') checkTree(next, warn);
    else if (next === '') warn(`"${answer}" (${node.question}) leads nowhere`, `Write it as "${answer} → what to do".`);
  }
  const answers = node.branches.map(({ answer }) => answer.toLowerCase());
  const twice = answers.find((answer, index) => answers.indexOf(answer) !== index);
  if (twice !== undefined) warn(`"${node.question}" has the answer "${twice}" twice`, 'The first one counts.');
}
