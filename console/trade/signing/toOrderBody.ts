import type { components } from '../../api/openapi.d.ts'
import type { OrderTypedData } from './buildOrder.ts'

export type OrderBody = components['schemas']['OrderCreation']

type Signed = Pick<OrderBody, 'signature' | 'signingScheme'> & { from: string; quoteId: number | null }

/** The order as the order book takes it. @param document of its app data hash */
export const toOrderBody = ({ message }: OrderTypedData, document: string, signed: Signed): OrderBody => ({
  ...message,
  ...signed,
  appData: document,
  appDataHash: message.appData,
  fullBalanceCheck: false,
})
