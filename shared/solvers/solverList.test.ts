import { expect, test } from 'vitest'
import { solverListSchema, solverUrlSchema } from './solverList.ts'

test.each([
  ['https://driver.example/alice', 'https://driver.example/alice'],
  ['https://driver.example/alice//', 'https://driver.example/alice'],
  ['http://127.0.0.1:11088/', 'http://127.0.0.1:11088'],
  ['http://127.0.0.1:11088/?', 'http://127.0.0.1:11088'],
])('paths are appended to %s as to %s', (text, url) => {
  expect(solverUrlSchema.parse(text)).toBe(url)
})

test.each([
  ['https://user:secret@driver.example', 'credentials'],
  ['https://driver.example?key=1', 'query'],
  ['https://driver.example/alice#1', 'fragment'],
  ['ftp://driver.example', 'http or https'],
  ['driver.example', 'http or https'],
  ['', 'http or https'],
])('%s is refused, because of its %s', (url, reason) => {
  const solvers = JSON.stringify([{ name: 'alice', address: `0x${'5a'.repeat(20)}`, url }])
  const { error } = solverListSchema.safeParse(solvers)
  expect(error?.issues[0]).toMatchObject({ path: [0, 'url'], message: expect.stringContaining(reason) })
})
