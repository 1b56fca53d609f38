import { type Hex, parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { createTrader } from '../../orders/createTrader.ts'
import { signCancellations } from '../../orders/signCancellation.ts'
import { signOrder } from '../../orders/signOrder.ts'
import type { CreateActor, OrderBody } from '../arena.ts'

/** Cancels what is not its own, replays cancellations and orders, posts orders far from the market and reads in bursts. */
export const spammer: CreateActor = (arena, dice) => {
  const { info } = arena.stack
  let account: DevAccount
  const sign = (uids: Hex[], scheme: 'eip712' | 'ethsign' = 'eip712') =>
    signCancellations(uids, scheme, privateKeyToAccount(account.privateKey), info.chainId)
  const own: Hex[] = []
  const honest: OrderBody[] = []
  const cancellations: object[] = []
  const count = (what: string, { status }: { status: number }) => arena.count(`${what} → ${status}`)

  const findVictims = async (): Promise<Hex[]> => {
    const { body } = await arena.request('GET', `account/${arena.honest.address}/orders?limit=20`)
    return Array.isArray(body) ? body.filter(({ status }) => status === 'open').map(({ uid }) => uid) : []
  }
  const acts: Record<string, () => Promise<void>> = {
    cancelOthers: async () => {
      const victims = await findVictims()
      if (victims.length === 0) return
      const signed = await sign([...own.slice(-1), ...victims], dice.pick(['eip712', 'ethsign'] as const))
      count('cancellation of honest orders', await arena.request('DELETE', 'orders', signed))
    },
    replayCancellation: async () => {
      const victims = await findVictims()
      if (cancellations.length === 0 || victims.length === 0) return
      const replayed = { ...dice.pick(cancellations), orderUids: victims }
      count('replayed cancellation', await arena.request('DELETE', 'orders', replayed))
    },
    cancelOwn: async () => {
      const uid = own.pop()
      if (!uid) return
      const signed = await sign([uid])
      cancellations.push(signed)
      count('own cancellation', await arena.request('DELETE', 'orders', signed))
    },
    replayOrder: async () => {
      // the newest is still on its way
      if (honest.length > 1)
        count('replayed order', await arena.request('POST', 'orders', dice.pick(honest.slice(0, -1))))
    },
    farFromMarket: async () => {
      const terms = {
        ...{ sellToken: arena.token('WETH'), buyToken: arena.token('USDC') },
        sellAmount: parseEther('0.01') + BigInt(dice.between(0, 10 ** 9)),
        buyAmount: parseUnits('1000000', 6),
        validTo: Math.floor(Date.now() / 1_000) + 3_600,
      }
      const taken = await arena.request('POST', 'orders', await signOrder(info, account.privateKey, terms))
      if (taken.status === 201) own.push(taken.body as Hex)
      count('order far from the market', taken)
    },
    readInBursts: async () => {
      const paths = [`account/${arena.honest.address}/orders`, 'auction', `trades?owner=${arena.honest.address}`]
      await Promise.all(Array.from({ length: 8 }, () => arena.request('GET', dice.pick(paths))))
    },
  }
  return {
    name: 'spammer',
    pauseMs: [500, 2_000],
    prepare: async () => {
      account = await createTrader(arena.stack)
      arena.beforePost.push(async (body) => {
        honest.push(body)
      })
    },
    act: () => (acts[dice.pick(Object.keys(acts))] ?? acts.farFromMarket)?.() ?? Promise.resolve(),
  }
}
