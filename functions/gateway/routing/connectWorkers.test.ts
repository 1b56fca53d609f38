import { expect, test } from 'vitest'
import { connectWorkers } from './connectWorkers.ts'

test('finds the service bindings of each deployed network and calls them with their own this', async () => {
  class Service {
    readonly name: string
    constructor(name: string) {
      this.name = name
    }
    async fetch(request: Request) {
      return new Response(`${this.name} ${request.method}`)
    }
  }
  const workers = connectWorkers({
    ORDERS_SEPOLIA: new Service('orders'),
    QUOTES_ARBITRUM_ONE: new Service('quotes'),
    DEBUG_GNOSIS: 'not a binding',
    ORDERS_GOERLI: new Service('unknown network'),
  })
  expect(Object.keys(workers)).toEqual(['arbitrum_one', 'sepolia'])
  expect(Object.keys(workers.sepolia ?? {})).toEqual(['orders'])
  const response = await workers.sepolia?.orders?.(new Request('http://orders/'))
  expect(await response?.text()).toBe('orders GET')
})
