import path from 'node:path';
import {
  daemonArguments,
  SERVICE_MARK,
  type ServiceDefinition,
  type ServicePlaces,
  type ServiceSpec,
} from './service.ts';

/** A unit of the user's own systemd: no root, and nobody else's business. */
export function systemdService(spec: ServiceSpec, { userHome, xdgConfig }: ServicePlaces): ServiceDefinition {
  const unit = `${spec.name}.service`;
  const file = path.join(xdgConfig ?? path.join(userHome, '.config'), 'systemd', 'user', unit);
  const systemctl = (...args: string[]) => ({ program: 'systemctl', args: ['--user', ...args] });
  const reload = {
    ...systemctl('daemon-reload'),
    why: 'let systemd read the file',
    affectsDaemon: false,
    mayFail: false,
  };
  return {
    system: 'systemd',
    title: 'a systemd user unit',
    file: { path: file, content: unitText(spec), encoding: 'utf8' },
    install: [
      reload,
      { ...systemctl('enable', unit), why: 'start it at every login', affectsDaemon: false, mayFail: false },
    ],
    start: [{ ...systemctl('restart', unit), why: 'start it now', affectsDaemon: true, mayFail: false }],
    uninstall: [
      {
        ...systemctl('disable', '--now', unit),
        why: 'stop it, and start it no more',
        affectsDaemon: true,
        mayFail: true,
      },
    ],
    isActive: systemctl('is-active', '--quiet', unit),
    validate: { program: 'systemd-analyze', args: ['--user', 'verify', file] },
    notes: ['It runs while you are logged in; `loginctl enable-linger` lets it run all the time.'],
  };
}

function unitText(spec: ServiceSpec): string {
  return `# ${SERVICE_MARK}; change nothing here, it is written again by the next one.
[Unit]
Description=Mneme, memory for AI agents (${escapePercent(spec.home)})

[Service]
Type=simple
ExecStart=${daemonArguments(spec)
    .map((word, at) => quote(word, at === 0))
    .join(' ')}
# Keys of language models, one NAME=VALUE a line; may be missing.
EnvironmentFile=-${escapePercent(path.posix.join(spec.home, 'service.env'))}
Restart=on-failure
RestartSec=10
# Jobs reach a safe place within 25 seconds.
TimeoutStopSec=40
Nice=10
IOSchedulingClass=best-effort
IOSchedulingPriority=7
NoNewPrivileges=true

[Install]
WantedBy=default.target
`;
}

/** systemd replaces what follows a percent sign. */
function escapePercent(text: string): string {
  return text.replaceAll('%', '%%');
}

/** One word of a command line, as systemd reads it. It replaces variables in arguments, not in the program's path. */
function quote(word: string, isProgram: boolean): string {
  const escaped = escapePercent(word).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return /^[\w@:,./=+-]+$/u.test(word) ? word : `"${isProgram ? escaped : escaped.replaceAll('$', '$$$$')}"`;
}
