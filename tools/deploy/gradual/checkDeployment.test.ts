import { expect, test } from 'vitest'
import { checkDeployment } from './checkDeployment.ts'

/** @param respond status of the nth request */
const check = (respond: (path: string, index: number) => number | Error, rounds = 30) => {
  let index = 0
  return checkDeployment({
    url: 'https://api.example.org',
    paths: ['/sepolia/api/v1/version'],
    rounds,
    pauseMs: 0,
    fetch: async (input) => {
      const answer = respond(new URL(String(input)).pathname, index++)
      if (answer instanceof Error) throw answer
      return new Response(null, { status: answer })
    },
  })
}

test('accepts a deployment whose only failure is one response of many', async () => {
  await check((_, index) => (index === 7 ? 500 : 200))
})

test('refuses a share of responses that are 5xx or missing; other refusals count as responses', async () => {
  await expect(check((_, index) => (index % 10 === 0 ? 500 : 200))).rejects.toThrow('6 of 60 responses')
  await expect(check((_, index) => (index < 3 ? new Error('reset') : 200))).rejects.toThrow('3 of 60 responses')
  await check((path) => (path === '/readyz' ? 200 : 429))
})

test('refuses a deployment that is not ready in the end', async () => {
  await expect(check((_, index) => (index === 60 ? 503 : 200))).rejects.toThrow('GET /readyz is 503')
})
