// Replaces the packages that `tedious` loads for sign-in through Microsoft Entra, 50 MB that few users need.
// Such a sign-in fails with an error that names the missing package.
const missing = (name) =>
  class {
    constructor() {
      throw new Error(`${name}: sign-in through Microsoft Entra is not part of this build; use a SQL Server login`);
    }
  };

export const ClientSecretCredential = missing("ClientSecretCredential");
export const DefaultAzureCredential = missing("DefaultAzureCredential");
export const ManagedIdentityCredential = missing("ManagedIdentityCredential");
export const UsernamePasswordCredential = missing("UsernamePasswordCredential");
export const ClientCertificateCredential = missing("ClientCertificateCredential");
export const CryptographyClient = missing("CryptographyClient");
export const KeyClient = missing("KeyClient");
