import { z } from 'zod'

/** Octets of a local part and of an address (RFC 5321, 4.5.3.1). */
const maxLocalBytes = 64
const maxBytes = 254

/** Characters of an atom (RFC 5322, 3.2.3), and letters of all languages (RFC 6531, 3.3). */
const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
/** A quoted string without angle brackets, which a mail provider could read as another address. */
const quoted = '"(?:[ !#-;=?-\\[\\]-~]|\\\\[ -;=?-~])*"'
const plainPattern = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u')
const addressPattern = new RegExp(
  `^(${atom}(?:\\.${atom})*|${quoted})@([\\p{L}\\p{M}\\p{N}-]+(?:\\.[\\p{L}\\p{M}\\p{N}-]+)+)$`,
  'u',
)
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** At least two labels, the last of which is no number. */
const domainPattern = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`)

/**
 * A mailbox (RFC 5321, 4.1.2), also an international one. Comes out with its domain in lower case and in ASCII (IDNA);
 * the local part is case-sensitive.
 */
export const mailAddressSchema = z.string().transform((text, context) => {
  const [, local = '', domain = ''] = addressPattern.exec(text) ?? []
  const host = URL.parse(`http://${domain}`)?.hostname ?? ''
  const address = `${toOneSpelling(local)}@${host}`
  if (domainPattern.test(host) && countBytes(local) <= maxLocalBytes && countBytes(address) <= maxBytes) return address
  context.addIssue({ code: 'custom', message: 'an e-mail address' })
  return z.NEVER
})

/** Spellings of one mailbox are equal, because mails to a mailbox are limited: without needless quotes and escapes. */
const toOneSpelling = (local: string): string => {
  if (!local.startsWith('"')) return local.normalize('NFC')
  const text = local.slice(1, -1).replace(/\\(.)/g, '$1')
  return plainPattern.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

const countBytes = (text: string): number => new TextEncoder().encode(text).length
