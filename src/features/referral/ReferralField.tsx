import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppDispatch } from '~/src/store/hooks'
import { TextInput } from '~/src/ui/controls'
import { normalizeReferralCode } from './referralCode'
import { validateReferrer } from './validateReferrer'

/** Milliseconds without typing before a lookup starts. */
const DEBOUNCE_MS = 400

type CodeCheck = { code: string; valid: boolean }

/** Checks a code while the user types; undefined until known. */
const useIsValidCode = (code: string): boolean | undefined => {
  const dispatch = useAppDispatch()
  const [codeCheck, setCodeCheck] = useState<CodeCheck | null>(null)
  useEffect(() => {
    if (!code) return
    let isWanted = true
    const timer = setTimeout(() => {
      // Without a response the field stays neutral; the sign-up itself checks the code again.
      dispatch(validateReferrer.quiet({ referralId: code }))
        .unwrap()
        .then(
          (valid) => isWanted && setCodeCheck({ code, valid }),
          () => undefined,
        )
    }, DEBOUNCE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [code, dispatch])
  return codeCheck?.code === code ? codeCheck.valid : undefined
}

/** Renders an optional field for the referral code that the new person was invited with. */
export const ReferralField = ({
  value,
  refused,
  onChange,
}: {
  value: string
  /** True when the sign-up was refused because of this code. */
  refused: boolean
  onChange: (code: string) => void
}) => {
  const { t } = useTranslation()
  const code = normalizeReferralCode(value)
  const valid = useIsValidCode(code)
  const isInvalid = code !== '' && (refused || valid === false)
  return (
    <TextInput
      label={t('referralId')}
      hint={code && valid ? t('referral_known') : t('optional')}
      value={value}
      maxLength={60}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      error={isInvalid ? t('referral_unknown') : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
