export const PrivacyPage = () => <p>PrivacyPage</p>
