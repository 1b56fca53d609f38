import { describe, expect, test } from 'vitest'
import { readAnnouncement } from './readAnnouncement.ts'

const provider = { request: async () => null }
const icon = 'data:image/svg+xml;base64,PHN2Zy8+'
const announce = (info: object) =>
  readAnnouncement({ info: { rdns: 'io.example', name: 'Example', icon, ...info }, provider })

describe('readAnnouncement', () => {
  test('reads a wallet', () => {
    expect(announce({})).toEqual({ rdns: 'io.example', name: 'Example', icon, address: null, provider })
  })

  test.each([
    ['nothing', undefined],
    ['no object', 'wallet'],
    ['no provider', { info: { rdns: 'io.example', name: 'a', icon } }],
    ['a provider without a request function', { info: { rdns: 'io.example', name: 'a', icon }, provider: {} }],
    ['no info', { provider }],
  ])('refuses %s', (_, detail) => {
    expect(readAnnouncement(detail)).toBeUndefined()
  })

  test.each(['', 'a b', 'x'.repeat(101), 'local', 7, '<b>'])('refuses the name space %s', (rdns) => {
    expect(announce({ rdns })).toBeUndefined()
  })

  test.each(['https://example.com/a.png', 'data:text/html,<b>', `data:image/png,${'a'.repeat(100_000)}`, null])(
    'ignores an icon that is not a small embedded image',
    (other) => {
      expect(announce({ icon: other })).toMatchObject({ icon: null })
    },
  )

  test('shortens a long name, removes invisible characters, and works without a name', () => {
    expect(announce({ name: 'My \u202eWallet\u200b' })?.name).toBe('My Wallet')
    expect(announce({ name: 'n'.repeat(500) })?.name).toHaveLength(40)
    expect(announce({ name: ' ' })?.name).toBe('io.example')
  })
})
