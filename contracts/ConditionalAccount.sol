// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ComposableCow} from "./ComposableCow.sol";
import {ConditionalOrder} from "./ConditionalOrder.sol";

/// Code to which a plain account delegates (EIP-7702), so that it can own conditional orders. It has no storage, no
/// initialisation and no function that moves anything: the account's key remains the only one that sends transactions,
/// and what the account signs is what its key signs and what the registry has from it.
contract ConditionalAccount {
    bytes4 private constant ACCEPTED = 0x1626ba7e;
    bytes4 private constant REFUSED = 0xffffffff;
    bytes32 private constant ORDER_TYPE_HASH = 0xd5a25ba2e97094ad7d83dc28a6572da797d6b3e7fc6663bd93efb789fc17e489;

    ComposableCow public immutable composableCow;
    bytes32 private immutable domainSeparator;

    constructor(ComposableCow composableCow_) {
        composableCow = composableCow_;
        domainSeparator = composableCow_.domainSeparator();
    }

    receive() external payable {}

    /// Contracts that ask every account with code would otherwise refuse the signatures of its key.
    /// @param signature of the key, or the order and the payload that the registry has encoded
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length == 65) {
            address signer = ecrecover(
                digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64])
            );
            return signer == address(this) ? ACCEPTED : REFUSED;
        }
        (ConditionalOrder.Order memory order, ComposableCow.Payload memory payload) =
            abi.decode(signature, (ConditionalOrder.Order, ComposableCow.Payload));
        bytes32 structHash = keccak256(abi.encodePacked(ORDER_TYPE_HASH, abi.encode(order)));
        if (keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash)) != digest) return REFUSED;
        return composableCow.isValidSafeSignature(
            address(this), msg.sender, digest, domainSeparator, ORDER_TYPE_HASH, abi.encode(order), abi.encode(payload)
        );
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }
}
