// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface SignatureVerifier {
    function isValidSafeSignature(
        address safe,
        address sender,
        bytes32 digest,
        bytes32 domainSeparator,
        bytes32 typeHash,
        bytes calldata encodedData,
        bytes calldata payload
    ) external view returns (bytes4);
}

interface Safe {
    function domainSeparator() external view returns (bytes32);
    function signedMessages(bytes32 messageHash) external view returns (uint256);
    function checkSignatures(bytes32 dataHash, bytes calldata data, bytes calldata signatures) external view;
}

/// Fallback handler of a Safe that lets a contract verify the signatures of one EIP-712 domain. A Safe appends the
/// caller to the calldata of what it forwards. The part of the public handler's interface that conditional orders use.
contract ExtensibleFallbackHandler {
    bytes4 private constant SAFE_SIGNATURE = bytes4(keccak256("safeSignature(bytes32,bytes32,bytes,bytes)"));
    bytes32 private constant SAFE_MESSAGE = keccak256("SafeMessage(bytes message)");
    bytes4 private constant ACCEPTED = 0x1626ba7e;

    mapping(address safe => mapping(bytes32 domainSeparator => SignatureVerifier)) public domainVerifiers;

    event ChangedDomainVerifier(
        address indexed safe,
        bytes32 domainSeparator,
        SignatureVerifier oldVerifier,
        SignatureVerifier newVerifier
    );

    error OnlySelf();

    /// Only a Safe itself, through its fallback: it is the caller and the appended sender.
    function setDomainVerifier(bytes32 domainSeparator, SignatureVerifier verifier) external {
        if (appendedSender() != msg.sender) revert OnlySelf();
        emit ChangedDomainVerifier(msg.sender, domainSeparator, domainVerifiers[msg.sender][domainSeparator], verifier);
        domainVerifiers[msg.sender][domainSeparator] = verifier;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length >= 68 && bytes4(signature) == SAFE_SIGNATURE) {
            (bytes32 separator, bytes32 typeHash) = abi.decode(signature[4:68], (bytes32, bytes32));
            SignatureVerifier verifier = domainVerifiers[msg.sender][separator];
            if (address(verifier) != address(0)) {
                (,, bytes memory data, bytes memory payload) =
                    abi.decode(signature[4:], (bytes32, bytes32, bytes, bytes));
                if (toDigest(separator, keccak256(abi.encodePacked(typeHash, data))) == digest) {
                    return verifier.isValidSafeSignature(
                        msg.sender, appendedSender(), digest, separator, typeHash, data, payload
                    );
                }
            }
        }
        checkOwners(Safe(msg.sender), digest, signature);
        return ACCEPTED;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == (this.domainVerifiers.selector ^ this.setDomainVerifier.selector) || id == ACCEPTED
            || id == this.supportsInterface.selector;
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    /// The Safe's own signatures: those of its owners, or a message that it has signed on-chain.
    function checkOwners(Safe safe, bytes32 digest, bytes calldata signature) private view {
        bytes32 structHash = keccak256(abi.encode(SAFE_MESSAGE, keccak256(abi.encode(digest))));
        bytes memory data = abi.encodePacked(hex"1901", safe.domainSeparator(), structHash);
        if (signature.length == 0) require(safe.signedMessages(keccak256(data)) != 0, "Hash not approved");
        else safe.checkSignatures(keccak256(data), data, signature);
    }

    function toDigest(bytes32 separator, bytes32 structHash) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }

    function appendedSender() private pure returns (address) {
        return address(bytes20(msg.data[msg.data.length - 20:]));
    }
}
