import { patternRule, type SecretRule } from './rule.ts';
import { isPlaceholder, looksLikePassword } from './values.ts';

const isGiven = (value: string): boolean => !isPlaceholder(value) && !value.startsWith('-');

/** A password after an option of one letter, which only the program's name gives a meaning. */
function option(program: string, flag: string, { accept = isGiven } = {}): SecretRule {
  const pattern = `\\b(?:${program})\\b(?=[ \\t])[^\\n|;&]{0,300}?[ \\t](?:${flag})["']?(?<secret>[^\\s"'\`|;&<>]{3,256})`;
  return patternRule('command-password', new RegExp(pattern), { accept });
}

/** `sshpass -p WORD`, `mysql -pWORD` and others: what people type, and what tools then tell. */
export const COMMAND_RULES: readonly SecretRule[] = [
  option('sshpass', '-p[ \\t]?'),
  option('mysql|mysqldump|mysqladmin|mariadb|mariadb-dump', '-p', { accept: looksLikePassword }),
  option('redis-cli|valkey-cli', '-a[ \\t]'),
  option('docker login|podman login|helm registry login|buildah login', '-p[ \\t]'),
  option('mongosh|mongo|mongodump|mongorestore', '-p[ \\t]', { accept: looksLikePassword }),
  option('ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami', '-w[ \\t]'),
  option('sqlcmd|bcp', '-P[ \\t]?', { accept: looksLikePassword }),
  option('7z|7za|7zz', '-p', { accept: looksLikePassword }),
  option('zip|unzip', '-P[ \\t]', { accept: looksLikePassword }),
  option('smbclient|rpcclient', '-U[ \\t][\\w.\\\\/-]{1,64}%'),
  option('https?', '(?:-a|--auth)[ \\t=][\\w.@-]{1,64}:', { accept: looksLikePassword }),
  option('openssl', '-pass(?:in|out)?[ \\t]pass:'),
  option('htpasswd', '-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \\t]\\S{1,200}[ \\t]\\S{1,64}[ \\t]', {
    accept: looksLikePassword,
  }),
  option('rabbitmqctl', '(?:add_user|change_password)[ \\t]\\S{1,64}[ \\t]', { accept: looksLikePassword }),
  patternRule(
    'command-password',
    /["']?[\w.-]{1,64}:(?<secret>[^\s"']{3,128})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]+)?chpasswd\b/,
    {
      accept: isGiven,
    },
  ),
];
