import type { DriverQuote } from '#shared/solvers/driverApi.ts'

/** The body of `GET /quote`: amounts as decimal text. */
export const toDriverQuoteResponse = ({ clearingPrices, preInteractions, interactions, solver, gas }: DriverQuote) => ({
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
