/** Has its companion start a program that waits for input and then writes a file, tells who the companion is, and is killed. */
import { Conversation, run } from '../../process.ts';

for (let count = 0; count < 14; count += 1) await run('true', []);
const script = 'echo $PPID; cat > /dev/null; echo over > "$1"';
const talk = new Conversation('sh', ['-c', script, 'sh', process.argv[2] ?? '']);
const companion = (await talk.listen()) ?? '';
process.stdout.write(companion, () => process.kill(process.pid, 'SIGKILL'));
