/**
 * Writes the situations twice: for somebody who sees only what a model sees, and what would have been right.
 *
 *     npm run test:situations -- FOLDER
 */
import fs from 'node:fs';
import path from 'node:path';
import { playSituations, type Played } from './play.ts';

const folder = process.argv[2] ?? 'situations';
const played = await playSituations();
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(path.join(folder, 'situations.md'), renderSituations(played));
fs.writeFileSync(path.join(folder, 'answers.md'), renderAnswers(played));
process.stdout.write(`${played.length} situations in ${folder}\n`);

function renderSituations(situations: readonly Played[]): string {
  const pages = situations.map(
    ({ said, tool, given, shown }, index) =>
      `## ${index + 1}\n\nThe user said: ${said}\n\nYou called \`${tool}\` with \`${JSON.stringify(given)}\`. It answered:\n\n\`\`\`json\n${JSON.stringify(shown, undefined, 2)}\n\`\`\`\n`,
  );
  return `# What would you tell the user?\n\nYou are an agent with a memory. Answer each in one or two sentences, from what the tool answered and nothing else.\n\n${pages.join('\n')}`;
}

function renderAnswers(situations: readonly Played[]): string {
  const rows = situations.map(({ said, right, wrong }, index) => `| ${index + 1} | ${said} | ${right} | ${wrong} |`);
  return `# What is right to tell\n\n| | the user said | right | wrong |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}
