import COpenSSL

/// The libcrypto parameters that we set; each name lives as long as the process.
enum ParameterName {
    case digest, kdfKey, salt, info, password
    case scryptN, scryptR, scryptP, scryptMemory
    case group, publicKey, privateKey, ecX, ecY
    case rsaN, rsaE, rsaD, rsaP, rsaQ, rsaDP, rsaDQ, rsaQI

    var pointer: UnsafePointer<CChar> {
        switch self {
        case .digest: unsafe ak_name_digest()
        case .kdfKey: unsafe ak_name_kdf_key()
        case .salt: unsafe ak_name_salt()
        case .info: unsafe ak_name_info()
        case .password: unsafe ak_name_password()
        case .scryptN: unsafe ak_name_scrypt_n()
        case .scryptR: unsafe ak_name_scrypt_r()
        case .scryptP: unsafe ak_name_scrypt_p()
        case .scryptMemory: unsafe ak_name_scrypt_memory()
        case .group: unsafe ak_name_group()
        case .publicKey: unsafe ak_name_public_key()
        case .privateKey: unsafe ak_name_private_key()
        case .ecX: unsafe ak_name_ec_x()
        case .ecY: unsafe ak_name_ec_y()
        case .rsaN: unsafe ak_name_rsa_n()
        case .rsaE: unsafe ak_name_rsa_e()
        case .rsaD: unsafe ak_name_rsa_d()
        case .rsaP: unsafe ak_name_rsa_p()
        case .rsaQ: unsafe ak_name_rsa_q()
        case .rsaDP: unsafe ak_name_rsa_dp()
        case .rsaDQ: unsafe ak_name_rsa_dq()
        case .rsaQI: unsafe ak_name_rsa_qi()
        }
    }
}
