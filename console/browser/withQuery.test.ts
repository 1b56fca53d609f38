import { expect, it } from 'vitest'
import { withQuery } from './withQuery.ts'

it('retains other parameters and removes those that are null', () => {
  const location = { path: '/orders/0x1', query: { network: 'sepolia', view: 'fill' } }
  expect(withQuery(location, { view: null, auction: '7' })).toBe('/orders/0x1?network=sepolia&auction=7')
  expect(withQuery({ path: '/', query: { a: 'b c' } }, {})).toBe('/?a=b+c')
  expect(withQuery(location, { view: null, network: null })).toBe('/orders/0x1')
})
