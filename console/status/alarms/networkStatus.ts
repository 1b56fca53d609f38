import type { components } from '../../api/openapi.d.ts'

export type NetworkStatus = components['schemas']['NetworkStatus']
