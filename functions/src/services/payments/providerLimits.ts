import { dbPaths } from '~/domain/data/databasePaths'
import { fromCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import { combineChargeSteps } from '~/domain/payments/chargeLimits'
import type { Adapter } from '../../ports/paymentAdapter'
import type { Ports } from '../../ports/ports'
import type { ChargeLimits } from '~/domain/payments/types'
import type { Settings } from '~/domain/catalog/types'

/** Returns the limits of the amounts that a provider can charge in a currency that it supports. */
export const getChargeLimits = (
  { chargeRules }: Pick<Adapter, 'chargeRules'>,
  currency: string,
): ChargeLimits => {
  const chargeStep = chargeRules?.[currency]?.step ?? fromCurrencyMinorUnits(1, currency)
  return { step: chargeStep, minimum: chargeRules?.[currency]?.minimum ?? chargeStep }
}

/**
 * Writes the smallest step that the switched-on providers can charge to the settings, where the app
 * and the server read it. Safe to repeat: it writes only when the keys or the currency changed.
 */
export const publishProviderStep = async ({
  db,
  payments,
}: Pick<Ports, 'db' | 'payments'>): Promise<void> => {
  const settings = await db.read<Settings>(dbPaths.settings)
  if (!settings) return
  const { code, providerStep = null } = settings
  const commonStep = combineChargeSteps(
    payments.listProviders(code),
    fromCurrencyMinorUnits(1, code),
  )
  if (commonStep !== providerStep)
    await db.update({ [`${dbPaths.settings}/providerStep`]: commonStep })
}
