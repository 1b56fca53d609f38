import { expect, test } from 'vitest'
import type { NetworkName } from '#shared/networks.ts'
import { checkReach } from './checkReach.ts'

const settings = { RPC_URL: 'https://node.example/key,http://127.0.0.1:8545', PUBLIC_URL: 'https://api.example' }

test('an address of this machine is wrong for Cloudflare, limited where the place is unknown, and right for serve', () => {
  const findStates = (place: 'cloudflare' | 'here' | undefined) =>
    checkReach('sepolia', settings, place).map(({ name, state }) => [name, state])
  expect(findStates('cloudflare')).toEqual([['setting RPC_URL', 'wrong']])
  expect(findStates(undefined)).toEqual([['setting RPC_URL', 'limited']])
  expect(findStates('here')).toEqual([])
})

test('an own network without a public node is limited for wallets', () => {
  const own = 'own' as NetworkName
  expect(checkReach(own, settings, 'here')).toMatchObject([{ state: 'limited', name: 'setting PUBLIC_RPC_URLS' }])
  expect(checkReach(own, { PUBLIC_RPC_URLS: '{"own":"https://rpc.example"}' }, 'here')).toEqual([])
})
