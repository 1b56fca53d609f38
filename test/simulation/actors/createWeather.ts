import { network } from '../market.ts'
import type { Participant, World } from '../world.ts'

/** blocks between two disturbances, so that the oracle has calm times */
const calmBlocks = 14
/** blocks after a disturbance until the service must work again: deadlines of its attempts and suspensions */
const recoveryBlocks = 8

/**
 * Disturbances: a node that lags, leaves out logs, fails or limits its clients, a database that loses requests, a queue that accepts
 * nothing, reorganisations, parts of the service that die at any step, and all of them down while the chain mines blocks.
 * @param later runs work in virtual time
 */
export const createWeather = (world: World, later: (milliseconds: number, work: () => void) => void): Participant => {
  const dice = world.dice('weather')
  const { weather, service, chain } = world
  const blockMs = network.blockTimeSeconds * 1_000
  let next = calmBlocks

  const disturb = (facts: Record<string, unknown>, blocks: number): void => {
    const until = chain.head().number + blocks + recoveryBlocks
    weather.disturbedAt = Math.max(weather.disturbedAt, until)
    next = until + calmBlocks
    world.log('weather', facts)
  }
  const end = (blocks: number) =>
    later(blocks * blockMs, () => {
      Object.assign(weather, {
        lag: 0,
        hidesLogs: undefined,
        nodeFailures: 0,
        nodeLimit: 0,
        databaseFailures: 0,
        queueFailures: 0,
      })
      world.log('weather', { kind: 'calm' })
    })

  const events: Record<string, () => void> = {
    lag: () => {
      const blocks = dice.between(1, 3)
      weather.lag = dice.between(1, 3)
      disturb({ kind: 'lag', lag: weather.lag }, blocks)
      end(blocks)
    },
    omission: () => {
      const blocks = dice.between(1, 4)
      weather.hidesLogs = dice.pick(['all', 'searches', 'alternating'] as const)
      disturb({ kind: 'omission', logs: weather.hidesLogs }, blocks)
      end(blocks)
    },
    node: () => {
      weather.nodeFailures = dice.between(1, 10) / 20
      disturb({ kind: 'node', share: weather.nodeFailures }, 2)
      end(2)
    },
    limit: () => {
      weather.nodeLimit = dice.between(2, 12)
      disturb({ kind: 'limit', requests: weather.nodeLimit }, 2)
      end(2)
    },
    database: () => {
      weather.databaseFailures = dice.between(1, 8) / 20
      disturb({ kind: 'database', share: weather.databaseFailures }, 2)
      end(2)
    },
    queue: () => {
      weather.queueFailures = dice.between(4, 20) / 20
      disturb({ kind: 'queue', share: weather.queueFailures }, 2)
      end(2)
    },
    reorganisation: () => {
      const depth = dice.between(1, Math.min(5, chain.head().number - 1))
      const salt = dice.between(1, network.blockTimeSeconds - 1)
      disturb({ kind: 'reorganisation', depth }, 1)
      const head = chain.head().number
      weather.replaced.push({ from: head - depth + 1, to: head + 1 })
      chain.reorganise(depth, salt, () => dice.chance(0.1))
    },
    deaths: () => {
      const count = dice.between(1, 4)
      disturb({ kind: 'deaths', count }, 2)
      for (let i = 0; i < count; i += 1) {
        const name = dice.pick(service.names)
        later(dice.between(0, 2 * blockMs), () => {
          world.log('weather', { kind: 'death', name })
          service.restart(name)
        })
      }
    },
    outage: () => {
      const blocks = dice.between(1, 30)
      disturb({ kind: 'outage', blocks }, blocks)
      service.halt()
      later(blocks * blockMs, () => {
        service.resume()
        world.log('weather', { kind: 'calm' })
      })
    },
  }

  return {
    name: 'weather',
    act: (block) => {
      if (block.number < next) return
      const name = dice.pick(Object.keys(events))
      events[name]?.()
    },
  }
}
