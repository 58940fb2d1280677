import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getReasonText } from '~/domain/catalog/catalogTexts'
import { translateReason } from '~/src/i18n/reasonTexts'
import { useLive } from '~/src/store/live/liveSlice'
import { liveCancellationReasons } from './cancellationReasons'

/** A reason to choose: the text that a booking stores, and the text that the user reads. */
export interface ReasonChoice {
  value: string
  text: string
}

/**
 * Returns the reasons a user can choose for a cancellation, in their language. Has a fallback
 * reason when none are configured.
 */
export const useCancellationReasons = (): { reasons: ReasonChoice[]; loading: boolean } => {
  const { t, i18n } = useTranslation()
  const { complex, loading } = useLive(liveCancellationReasons)
  const { language } = i18n
  const reasons = useMemo(() => {
    const other = t('reason_other')
    const choices = complex.map(({ label }) => ({
      value: label,
      text: getReasonText(complex, label, language),
    }))
    return loading || choices.length > 0 ? choices : [{ value: other, text: other }]
  }, [complex, loading, language, t])
  return { reasons, loading }
}

/**
 * Returns a function that returns why a booking was canceled or released in the user's language.
 * The words of a person stay.
 */
export const useReasonText = (): ((reason: string) => string) => {
  const { t, i18n } = useTranslation()
  const { complex } = useLive(liveCancellationReasons)
  const { language } = i18n
  return useCallback(
    (reason) => translateReason(getReasonText(complex, reason, language), t),
    [complex, language, t],
  )
}
