#!/usr/bin/env node
// `mneme` for shell scripts under test: has the command run by server.ts, and starts the program itself for what stays,
// what speaks over its pipes, and whatever comes while another command runs.
import { spawn } from 'node:child_process';
import net from 'node:net';
import process from 'node:process';

const OWN_PROCESS = /^(?:daemon|serve|mcp|hook|service|dashboard)$/u;
const args = process.argv.slice(2);

function startItself() {
  const child = spawn(process.execPath, [process.env.MNEME_TEST_BIN, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
}

async function readInput() {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  return text;
}

async function ask() {
  const socket = net.connect(process.env.MNEME_TEST_SOCKET);
  const send = (message) => socket.write(`${JSON.stringify(message)}\n`);
  send({ command: { args, cwd: process.cwd(), env: process.env } });
  let rest = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { out, err, wantsInput, code, busy } = JSON.parse(line);
      if (out !== undefined) process.stdout.write(out);
      if (err !== undefined) process.stderr.write(err);
      if (wantsInput) send({ input: await readInput() });
      if (busy) return startItself();
      if (code !== undefined) process.exitCode = code;
    }
  }
}

process.stdout.on('error', () => undefined);
if (args.some((argument) => OWN_PROCESS.test(argument))) startItself();
else await ask();
