import fs from 'node:fs';

const TICK_MS = 10;

/** CPU time of this process and of the children it has waited for, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

/** Only Linux tells; elsewhere the work of git is left out, at every month alike. */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = fs.readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
