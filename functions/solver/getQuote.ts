import { type DriverQuote, type DriverQuoteQuery, driverQuoteQuerySchema } from '#shared/solvers/driverApi.ts'
import { checkRequest, createDriverApp } from './createDriverApp.ts'
import { DriverError } from './DriverError.ts'

export interface GetQuoteDeps {
  findQuote: (query: DriverQuoteQuery) => Promise<DriverQuote>
  /** clock, Unix milliseconds */
  now: () => number
}

/** `GET /quote`: the best route for an amount, for an order that nobody has signed yet. */
export const getQuote = ({ findQuote, now }: GetQuoteDeps) => {
  const app = createDriverApp()
  app.get('/quote', async (c) => {
    const query = checkRequest(driverQuoteQuerySchema, c.req.query())
    if (Date.parse(query.deadline) <= now()) throw new DriverError('DeadlineExceeded', 'the deadline has passed')
    return c.json(toQuoteResponse(await findQuote(query)))
  })
  return app
}

const toQuoteResponse = ({ clearingPrices, preInteractions, interactions, solver, gas }: DriverQuote) => ({
  clearingPrices: Object.fromEntries(Object.entries(clearingPrices).map(([token, price]) => [token, String(price)])),
  preInteractions: preInteractions.map(toInteractionResponse),
  interactions: interactions.map(toInteractionResponse),
  solver,
  gas,
})

const toInteractionResponse = ({ target, value, callData }: DriverQuote['interactions'][number]) => ({
  target,
  value: String(value),
  callData,
})
