import type { CreateActor } from '../arena.ts'

/** The last blocks of the chain are replaced by empty ones. */
export const reorganiser: CreateActor = (arena, dice) => ({
  name: 'reorganisations',
  pauseMs: [22_000, 36_000],
  act: async () => {
    const depth = dice.between(1, 3)
    await arena.stack.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    const last = await arena.findHead()
    arena.outages.push({ first: last - depth + 1, last })
    arena.count(`reorganisation of ${depth}`)
  },
})
