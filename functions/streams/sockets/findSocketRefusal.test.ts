import { expect, test } from 'vitest'
import { createRandom } from '#tools/stack/createRandom.ts'
import { findSocketRefusal } from './findSocketRefusal.ts'

const [maxPerClient, maxPerFeed] = [3, 4]

test('a client has no more WebSockets than its limit, whichever of its two feeds was full when it opened them', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const random = createRandom(seed)
    const shared: string[] = []
    const own: string[] = []
    let wasFull = false
    const countOf = (feed: string[], client: string) => feed.filter((each) => each === client).length
    const admit = (feed: string[], client: string, elsewhere: number) =>
      findSocketRefusal({ held: countOf(feed, client), elsewhere, all: feed.length, maxPerClient, maxPerFeed })
    for (let step = 0; step < 100; step += 1) {
      const client = random() < 0.6 ? 'mine' : `other ${Math.floor(random() * 9)}`
      const feed = random() < 0.5 ? shared : own
      if (random() < 0.4) feed.splice(Math.floor(random() * feed.length), 1)
      else {
        const refusal = admit(shared, client, wasFull ? countOf(own, client) : 0)
        wasFull ||= refusal?.limit === 'socketsPerFeed'
        if (!refusal) shared.push(client)
        const isElsewhere = client === 'mine' && refusal?.limit === 'socketsPerFeed'
        if (isElsewhere && !admit(own, client, refusal.held ?? 0)) own.push(client)
      }
      const held = [...shared, ...own].filter((each) => each === 'mine').length
      expect(held).toBeLessThanOrEqual(maxPerClient)
    }
  }
})
