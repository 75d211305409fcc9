import path from 'node:path';
import {
  daemonArguments,
  SERVICE_MARK,
  type ServiceDefinition,
  type ServicePlaces,
  type ServiceSpec,
} from './service.ts';
import { escapeXml } from './launchd.ts';

/** A task that starts at the user's logon: a Windows service would need an administrator and a wrapper. */
export function windowsService(spec: ServiceSpec, { userName = '' }: ServicePlaces): ServiceDefinition {
  const task = `Mneme\\${spec.name}`;
  const file = path.win32.join(spec.home, 'service', `${spec.name}.xml`);
  const schtasks = (...args: string[]) => ({ program: 'schtasks.exe', args });
  const end = { ...schtasks('/End', '/TN', task), why: 'stop it', affectsDaemon: true, mayFail: true };
  return {
    system: 'windows',
    title: 'a task of the Task Scheduler',
    file: { path: file, content: taskXml(spec, userName), encoding: 'utf16le' },
    install: [
      {
        ...schtasks('/Create', '/TN', task, '/XML', file, '/F'),
        why: 'start it at every logon',
        affectsDaemon: false,
        mayFail: false,
      },
    ],
    start: [
      { ...end, why: 'stop an earlier one' },
      { ...schtasks('/Run', '/TN', task), why: 'start it now', affectsDaemon: true, mayFail: false },
    ],
    uninstall: [
      end,
      { ...schtasks('/Delete', '/TN', task, '/F'), why: 'start it no more', affectsDaemon: false, mayFail: true },
    ],
    isActive: schtasks('/Query', '/TN', task),
    validate: undefined,
    notes: [
      'Windows ends a task without warning; nothing is lost by that, and the next start completes what was under way.',
    ],
  };
}

function taskXml(spec: ServiceSpec, userName: string): string {
  const [program = '', ...rest] = daemonArguments(spec);
  const user = userName === '' ? '' : `\n      <UserId>${escapeXml(userName)}</UserId>`;
  return `<?xml version="1.0" encoding="UTF-16"?>
<!-- ${SERVICE_MARK}; change nothing here, it is written again by the next one. -->
<Task version="1.4" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Mneme, memory for AI agents (${escapeXml(spec.home)})</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>${user}
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">${user}
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <Hidden>true</Hidden>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>7</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(program)}</Command>
      <Arguments>${escapeXml(rest.map(quote).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** One argument as Windows programs take their command line apart. */
function quote(word: string): string {
  if (/^[^\s"]+$/u.test(word)) return word;
  return `"${word.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, '$1$1')}"`;
}
