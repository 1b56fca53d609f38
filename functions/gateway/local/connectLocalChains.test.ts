import { expect, test } from 'vitest'
import { connectLocalChains } from './connectLocalChains.ts'

test('there are no local chains without the setting', () => {
  expect(connectLocalChains(undefined)).toEqual({})
})

test.each(['http://127.0.0.1:8545', 'http://localhost:8545/', 'http://[::1]:8545'])('%s is this machine', (url) => {
  expect(connectLocalChains(JSON.stringify({ sepolia: url, base: url }))).toEqual({ sepolia: url, base: url })
})

test.each([
  'https://sepolia.example/v2/key',
  'http://192.168.0.7:8545',
  'http://0.0.0.0:8545',
  'http://127.0.0.1.example:8545',
  'http://user@127.0.0.1:8545',
  'https://127.0.0.1:8545',
  'file:///127.0.0.1',
  '127.0.0.1:8545',
  '',
])('a gateway does not start with %j', (url) => {
  expect(() => connectLocalChains(JSON.stringify({ sepolia: url }))).toThrow('only a node of this machine')
})

test.each(['http://127.0.0.1:8545', '{"atlantis":"http://127.0.0.1:8545"}', '[]', '{"sepolia":7}', ''])(
  'a gateway does not start with the setting %j',
  (setting) => {
    expect(() => connectLocalChains(setting)).toThrow()
  },
)
