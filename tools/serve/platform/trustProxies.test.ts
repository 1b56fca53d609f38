import { expect, test } from 'vitest'
import { trustProxies } from './trustProxies.ts'

/** The client's address that the gateway reads, for a peer that states one. */
const readAddress = (clientIp: string | undefined, stated?: string): string | null => {
  const request = new Request('http://gateway/', stated === undefined ? {} : { headers: { 'X-Real-IP': stated } })
  const received = Object.assign(request, { cf: { clientIp } })
  return trustProxies(received, ['127.0.0.1', '::1']).headers.get('X-Real-IP')
}

test.each([
  ['[::ffff:127.0.0.1]:48956', '203.0.113.7', '203.0.113.7'],
  ['127.0.0.1:48956', '203.0.113.7', '203.0.113.7'],
  ['[::1]:35910', '2001:db8::1', '2001:db8::1'],
  ['127.0.0.1:48956', undefined, null],
])('the proxy at %s states the address %s of its client', (peer, stated, address) => {
  expect(readAddress(peer, stated)).toBe(address)
})

test.each([
  ['[::ffff:198.51.100.1]:5', '203.0.113.7', '198.51.100.1'],
  ['[2001:db8::2]:5', '203.0.113.7', '2001:db8::2'],
  ['127.0.0.2:5', undefined, '127.0.0.2'],
  [undefined, '203.0.113.7', null],
])('the peer at %s, which is no proxy, cannot choose the address %s', (peer, stated, address) => {
  expect(readAddress(peer, stated)).toBe(address)
})
