/* What sealing takes, built into a file of its own: most homes have nothing to seal. */
export { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
