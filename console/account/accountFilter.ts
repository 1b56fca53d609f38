import { readChoice, readToken } from '../lists/readFilter.ts'

/** States of orders that a reader distinguishes, in the order of the totals. */
export const orderStates = {
  open: 'Open',
  fulfilled: 'Filled',
  partial: 'Partially filled',
  cancelled: 'Cancelled',
  expired: 'Expired',
  presignaturePending: 'Needs on-chain signature',
} as const

export type OrderStateName = keyof typeof orderStates

export type AccountFilter = { state: OrderStateName | undefined; token: string | undefined }

/** The filter in the address of the page; parts that it cannot read are left out. */
export const readAccountFilter = (query: Record<string, string>): AccountFilter => ({
  state: readChoice(orderStates, query.state),
  token: readToken(query.token),
})

/** Query of `explorer/orders`. */
export const toOrderQuery = ({ state, token }: AccountFilter) => ({
  ...(token === undefined ? {} : { token }),
  ...(state === undefined ? {} : state === 'partial' ? { partiallyFilled: 'true' as const } : { status: state }),
})
