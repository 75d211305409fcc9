import { openMneme } from '../../src/mneme.ts';

/** One sub-agent: proposes its statements one after the other and prints each answer as a line. */

const [home = '', agent = '0', count = '1'] = process.argv.slice(2);
const number = Number(agent);
const mneme = await openMneme({ home, actor: `subagent:a${agent}` });
try {
  for (let k = 0; k < Number(count); k += 1) {
    const { id, outcome } = await mneme.agents.propose({ text: statementOf(number, k), confidence: 'high' });
    process.stdout.write(`${JSON.stringify({ agent: number, k, id, outcome })}\n`);
  }
} finally {
  await mneme.close();
}

/** Every fifth one has an opposite: agents 2n and 2n+1 state the same thing with another value. */
function statementOf(own: number, k: number): string {
  const team = Math.floor(own / 2);
  if (k % 5 === 0) return `The budget of team t${team}k${k} is ${100 + (own % 2)} euros`;
  return `Crate c${own}x${k} stands in hall h${k}y${own}`;
}
