import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { toAlertMessage } from './toAlertMessage.ts'

const solver = `0x${'5a'.repeat(20)}`
const crossedAt = new Date('2026-11-01T00:00:00Z')
const toMessage = (key: string) =>
  toAlertMessage(
    {
      ...{ id: 7, chainId: networks.sepolia.chainId, key, kind: 'raised', value: '3' },
      ...{ crossedAt, createdAt: crossedAt },
    },
    undefined,
  )

test('the message of an alarm about a solver names the solver', () => {
  const { text, data } = toMessage(`solverStopped/${solver}`)
  expect(text).toMatch(`Solver stopped: missed auctions (solver ${solver}): 3, since`)
  expect(data).toMatchObject({ alarm: 'solverStopped', solver })
})

test('the message of an alarm about a network names no solver', () => {
  const { text, data } = toMessage('auctionAge')
  expect(text).not.toContain('(solver')
  expect(data).toMatchObject({ alarm: 'auctionAge', solver: null })
})
