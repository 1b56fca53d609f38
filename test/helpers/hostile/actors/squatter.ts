import { parseUnits } from 'viem'
import { signOrder } from '../../orders/signOrder.ts'
import type { CreateActor, OrderBody } from '../arena.ts'

const unsigned = { signingScheme: 'presign', signature: '0x' }

/** Posts the honest trader's orders first, without a signature, and other unsigned orders in its name. */
export const squatter: CreateActor = (arena, dice) => ({
  name: 'squatter',
  pauseMs: [1_500, 4_000],
  prepare: async () => {
    arena.beforePost.push(async (body: OrderBody) => {
      if (!dice.chance(0.4)) return
      const { status } = await arena.request('POST', 'orders', { ...body, ...unsigned })
      arena.count(`honest order posted unsigned first → ${status}`)
    })
  },
  act: async () => {
    const { address, privateKey } = arena.honest
    const terms = {
      ...{ sellToken: arena.token('USDC'), buyToken: arena.token('WETH'), buyAmount: parseUnits('1', 18) },
      sellAmount: parseUnits('50', 6) + BigInt(dice.between(0, 10 ** 6)),
    }
    const body = await signOrder(arena.stack.info, privateKey, terms)
    const { status } = await arena.request('POST', 'orders', { ...body, from: address, ...unsigned })
    arena.count(`unsigned order in the honest trader's name → ${status}`)
  },
})
