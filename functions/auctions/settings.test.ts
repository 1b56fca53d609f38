import { describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { settingsSchema } from './settings.ts'

const solver = { name: 'direct', address: `0x${'51'.repeat(20)}`, binding: 'SOLVER_DIRECT' }
const env = {
  NETWORK: 'sepolia',
  DATABASE_URL: 'postgres://user:password@host/database',
  RPC_URL: 'http://127.0.0.1:1',
  SOLVERS: JSON.stringify([solver]),
  SOLVER_DIRECT: { fetch: () => undefined },
  CLOCK: {},
  SOLVER_CONNECTIONS: {},
}

describe('settingsSchema', () => {
  test('takes text for numbers, fills in defaults and connects the solvers', () => {
    const settings = settingsSchema.parse({
      ...env,
      SOLVE_TIME_MS: '1500',
      SUBMISSION_DEADLINE_SECONDS: '30',
      START_BLOCK: '7',
    })
    expect(settings).toMatchObject({
      NETWORK: networks.sepolia,
      SOLVE_TIME_MS: 1500,
      SUBMISSION_DEADLINE_SECONDS: 30,
      MIN_VALIDITY_SECONDS: 60,
      START_BLOCK: 7,
      solvers: [{ name: 'direct', address: solver.address }],
    })
    expect(settingsSchema.parse(env).START_BLOCK).toBeUndefined()
  })

  test('names every setting that is missing or wrong', () => {
    const faultsOf = (changes: object) => {
      const { error } = settingsSchema.safeParse({ ...env, ...changes })
      return error ? describeFaults(error).map((fault) => fault.split(':')[0]) : []
    }
    expect(faultsOf({ RPC_URL: undefined, CLOCK: undefined })).toEqual(['RPC_URL', 'CLOCK'])
    expect(faultsOf({ NETWORK: 'nowhere', SOLVE_TIME_MS: '-1' })).toEqual(['NETWORK', 'SOLVE_TIME_MS'])
    expect(faultsOf({ SOLVERS: '[' })).toEqual(['SOLVERS'])
    expect(faultsOf({ SOLVER_DIRECT: undefined })).toEqual(['SOLVERS'])
  })
})
