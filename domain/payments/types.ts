/** Limits of the amounts that a provider can charge, in the settings' currency. */
export interface ChargeLimits {
  /** The provider charges multiples of this amount. */
  step: number
  minimum: number
}

export interface PaymentProvider extends ChargeLimits {
  name: string
  link: string
}
