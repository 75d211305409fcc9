import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import {
  type RunProgram,
  applyServicePlan,
  defineService,
  planInstall,
  planUninstall,
  readServiceFile,
  serviceName,
  systemOf,
} from './plan.ts';
import { SERVICE_SYSTEMS, type ServiceDefinition, type ServiceSystem } from './service.ts';

const GOLDEN: Readonly<Record<ServiceSystem, string>> = {
  systemd: 'mneme.service',
  launchd: 'org.mneme.mneme.plist',
  windows: 'mneme.xml',
};

const ESCAPED: Readonly<Record<ServiceSystem, string>> = {
  systemd: '--home "/home/a & <b> \\"c\\" 100%% $$HOME/.mneme" daemon\n',
  launchd: '<string>/home/a &amp; &lt;b&gt; &quot;c&quot; 100% $HOME/.mneme</string>',
  windows: '--home &quot;/home/a &amp; &lt;b&gt; \\&quot;c\\&quot; 100% $HOME/.mneme&quot; daemon<',
};

function define(
  system: ServiceSystem,
  userHome = '/home/ada',
  command = ['/usr/bin/node', '/opt/mneme/bin/mneme'],
): ServiceDefinition {
  const home = `${userHome}/.mneme`;
  const spec = { name: 'mneme', home, command, logs: `${home}/logs` };
  return defineService(system, spec, { userHome, userId: 1000, userName: 'LAB\\ada' });
}

/** Remembers what was started, and fails where a test says so. */
function recorder(failing = ''): { ran: string[]; start: RunProgram } {
  const ran: string[] = [];
  const start: RunProgram = (program, args) => {
    const line = [program, ...args].join(' ');
    ran.push(line);
    return Promise.resolve({ code: failing !== '' && line.includes(failing) ? 1 : 0, said: '' });
  };
  return { ran, start };
}

// SPEC JOB-4
describe.each(SERVICE_SYSTEMS)('%s', (system) => {
  it('writes the file that was agreed on', async () => {
    const golden = path.join(import.meta.dirname, 'golden', GOLDEN[system]);
    await expect(define(system).file.content).toMatchFileSnapshot(golden);
  });

  it('escapes what is special in a path', () => {
    expect(define(system, '/home/a & <b> "c" 100% $HOME').file.content).toContain(ESCAPED[system]);
  });

  it('writes, checks, then runs what it said; taking it away undoes that', async () => {
    const definition = {
      ...define(system),
      file: { ...define(system).file, path: path.join(makeTemporaryFolder(), 'a', 'file') },
    };
    const plan = planInstall(definition, true);
    expect(plan.change).toBe('create');
    const { ran, start } = recorder();
    const applied = await applyServicePlan(plan, start);
    expect(applied).toMatchObject({ failed: null, objections: [], change: 'create' });
    const said = plan.commands.map(({ program, args }) => [program, ...args].join(' '));
    expect(ran.slice(definition.validate === undefined ? 0 : 1)).toEqual(said);
    expect(readServiceFile(definition)).toBe(definition.file.content);
    expect(planInstall(definition, true).change).toBe('none');
    await applyServicePlan(planUninstall(definition), start);
    expect(fs.existsSync(definition.file.path)).toBe(false);
    expect(planUninstall(definition)).toMatchObject({ change: 'none', commands: [] });
  });

  it('without a start, nothing that it runs touches the daemon', () => {
    const plan = planInstall(define(system), false);
    expect(plan.commands.filter(({ affectsDaemon }) => affectsDaemon)).toEqual([]);
  });

  it('never replaces or removes a file of somebody else', () => {
    const definition = {
      ...define(system),
      file: { ...define(system).file, path: path.join(makeTemporaryFolder(), 'file') },
    };
    fs.writeFileSync(definition.file.path, 'mine', definition.file.encoding);
    expect(() => planInstall(definition, true)).toThrow('was not written by Mneme');
    expect(() => planUninstall(definition)).toThrow('was not written by Mneme');
  });
});

it('a command that fails is told, and nothing after it is run', async () => {
  const definition = {
    ...define('systemd'),
    file: { ...define('systemd').file, path: path.join(makeTemporaryFolder(), 'file') },
  };
  const { ran, start } = recorder('enable');
  const { failed } = await applyServicePlan(planInstall(definition, true), start);
  expect(failed).toBe('systemctl --user enable mneme.service: exit 1');
  expect(ran.some((line) => line.includes('restart'))).toBe(false);
});

it('what the system’s checker objects to is told', async () => {
  const definition = {
    ...define('systemd'),
    file: { ...define('systemd').file, path: path.join(makeTemporaryFolder(), 'file') },
  };
  const start: RunProgram = (program) =>
    Promise.resolve({ code: program === 'systemd-analyze' ? 1 : 0, said: 'bad unit' });
  const { objections } = await applyServicePlan(planInstall(definition, true), start);
  expect(objections).toEqual(['systemd-analyze: bad unit']);
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

it.runIf(hasAnalyze).each(['/home/ada', '/home/a b "c" 100% $HOME'])('systemd accepts the unit of %s', (userHome) => {
  const file = path.join(makeTemporaryFolder(), 'mneme.service');
  // It looks whether the program exists.
  fs.writeFileSync(file, define('systemd', userHome, ['/bin/sh', '/opt/my mneme/bin/mneme']).file.content);
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  const ours = stderr.split('\n').filter((line) => line.includes('mneme.service'));
  expect(ours).toEqual([]);
  expect(status).toBe(0);
});

const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;
const hasPlutil = spawnSync('plutil', ['-help']).error === undefined;

it.runIf(hasXmllint).each(['launchd', 'windows'] as const)('the file for %s is well-formed', (system) => {
  const { content } = define(system, '/home/a & <b>').file;
  const input = content.replace('encoding="UTF-16"', 'encoding="UTF-8"');
  expect(spawnSync('xmllint', ['--noout', '--nonet', '-'], { input }).status).toBe(0);
});

it.runIf(hasPlutil)('macOS accepts the property list', () => {
  expect(spawnSync('plutil', ['-lint', '-'], { input: define('launchd').file.content }).status).toBe(0);
});

describe('XML', () => {
  it.each(['launchd', 'windows'] as const)('every tag of %s is closed', (system) => {
    const open: string[] = [];
    const wrong: string[] = [];
    const tags = define(system).file.content.matchAll(/<(\/?)(\w+)((?:\s[^<>]*?)?)(\/?)>/gu);
    for (const [, slash, name = '', , isEmpty] of tags) {
      if (slash === '/' && open.pop() !== name) wrong.push(name);
      else if (slash !== '/' && isEmpty !== '/') open.push(name);
    }
    expect(wrong).toEqual([]);
    expect(open).toEqual([]);
  });
});

it('a path that would add lines to a file is refused', () => {
  expect(() => define('systemd', '/home/ada\nExecStart=/bin/evil')).toThrow('line break');
});

it('a home has its own name unless it is the usual one', () => {
  expect(serviceName('/home/ada/.mneme', '/home/ada/.mneme')).toBe('mneme');
  expect(serviceName('/srv/memory', '/home/ada/.mneme')).toMatch(/^mneme-[0-9a-f]{8}$/u);
});

it.each([
  ['linux', 'systemd'],
  ['darwin', 'launchd'],
  ['win32', 'windows'],
] as const)('%s has %s', (platform, system) => expect(systemOf(platform)).toBe(system));

it('another system is told how to do without', () => {
  expect(() => systemOf('freebsd')).toThrow('cannot set up a service on freebsd');
});
