import { expect, test } from 'vitest'
import { createGateway } from '../createGateway.ts'
import { readClientAddress } from './readClientAddress.ts'

const headers = new Headers({ 'CF-Connecting-IP': '203.0.113.7', 'X-Real-IP': '2001:db8::1', 'X-Odd': 'a\tb, c' })

test.each([
  ['the platform', 'CF-Connecting-IP', '203.0.113.7'],
  ['another proxy', 'X-Real-IP', '2001:db8::1'],
  ['a proxy that sends no address', 'X-Odd', undefined],
  ['a proxy that sends no header', 'X-Missing', undefined],
  ['no proxy', undefined, undefined],
])('reads the address behind %s', (_, trusted, address) => {
  expect(readClientAddress(headers, trusted)).toBe(address)
})

test.each([
  [undefined, null],
  ['CF-Connecting-IP', '203.0.113.7'],
  ['X-Real-IP', '2001:db8::1'],
])('Workers see only an address of the trusted header %s', async (trustedAddressHeader, address) => {
  const seen: (string | null)[] = []
  const orders = async (request: Request) => {
    seen.push(request.headers.get('CF-Connecting-IP'))
    return Response.json({})
  }
  const gateway = createGateway({
    workers: { sepolia: { orders } },
    version: '1',
    log: () => undefined,
    trustedAddressHeader,
  })
  await gateway(new Request('http://edgebook.test/sepolia/api/v1/orders', { method: 'POST', headers, body: '{}' }))
  expect(seen).toEqual([address])
})
