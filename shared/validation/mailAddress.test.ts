import { expect, test } from 'vitest'
import { mailAddressSchema } from './mailAddress.ts'

test.each([
  ['trader@example.com', 'trader@example.com'],
  ['Trader@Example.COM', 'Trader@example.com'],
  ["o'brien+orders/7=a?b^c`d{e|f}g~h!#$%&*@example.com", "o'brien+orders/7=a?b^c`d{e|f}g~h!#$%&*@example.com"],
  ['"john doe"@example.com', '"john doe"@example.com'],
  ['"a\\"b..c@d"@example.com', '"a\\"b..c@d"@example.com'],
  ['"tr\\ader"@example.com', 'trader@example.com'],
  ['"john\\ doe"@example.com', '"john doe"@example.com'],
  ['cafe\u0301@example.com', 'caf\u00e9@example.com'],
  ['trader@bücher.example', 'trader@xn--bcher-kva.example'],
  ['trader@BÜCHER.example', 'trader@xn--bcher-kva.example'],
  ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
  ['a@b.co', 'a@b.co'],
  ['x@a-b.c--d.museum', 'x@a-b.c--d.museum'],
  [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
])('reads %s', (text, address) => {
  expect(mailAddressSchema.parse(text)).toBe(address)
})

test.each([
  ['no @', 'trader.example.com'],
  ['no local part', '@example.com'],
  ['no domain', 'trader@'],
  ['a domain of one label', 'trader@localhost'],
  ['a domain that is an address', 'trader@127.0.0.1'],
  ['an address literal', 'trader@[127.0.0.1]'],
  ['two dots', 'a..b@example.com'],
  ['a dot at an end', '.a@example.com'],
  ['a space', 'a b@example.com'],
  ['a line break', 'a\r\nBcc: x@example.com'],
  ['a line break in quotes', '"a\r\nb"@example.com'],
  ['a second address', 'a@example.com, b@example.com'],
  ['a second address in quotes', '"a <b@example.com>"@example.com'],
  ['a display name', 'Trader <a@example.com>'],
  ['a path', 'a@example.com/b'],
  ['a port', 'a@example.com:25'],
  ['an underscore in the domain', 'a@exa_mple.com'],
  ['a hyphen at the end of a label', 'a@example-.com'],
  ['a local part of 65 octets', `${'ü'.repeat(33)}@example.com`],
  ['255 octets', `a@${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(60)}.com`],
])('rejects %s', (_, text) => {
  expect(mailAddressSchema.safeParse(text).success).toBe(false)
})
